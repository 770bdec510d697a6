"""A stand-in for the probe: writes that it was there, and what it was asked."""


def _is_main_thread():
    return True


def dump(path=None, reason="request", target=None):
    with open(path, "w") as file:
        file.write("%s %s %s" % (reason, target, "graph" if _is_main_thread() else "no graph"))
    return path
