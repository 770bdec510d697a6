"""A stand-in for the probe: writes that it was there, and what it was asked."""


def dump(path=None, reason="request", target=None, graph=True):
    with open(path, "w") as file:
        file.write("%s %s %s" % (reason, target, "graph" if graph else "no graph"))
    return path
