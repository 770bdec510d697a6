#!/usr/bin/env python3
"""The figures that StatisticsTest expects, worked out from the papers with numpy and scipy, independently of Leakline's code.

Prints them; needs numpy and scipy."""
import math

import numpy
import scipy.stats

# The Nile's flow at Aswan, 1871 to 1970, 10^8 m^3 (Cobb 1978; R's dataset Nile).
NILE = [1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140, 1100, 1210, 1150, 1250,
        1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969, 831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821,
        768, 845, 864, 862, 698, 845, 744, 796, 1040, 759, 781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860,
        874, 848, 890, 744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740]


def persistent(count, share, slope):
    """Values of which each is a share of the one before and a new part by chance (as C's rand() has it), and a trend."""
    values, last, state = [], 0.0, 1
    for i in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        last = share * last + ((state >> 16) % 101 - 50)
        values.append(math.floor(last) + slope * i)
    return values


def mann_kendall(values):
    """Score, variance with ties, correction of Hamed and Rao over lags up to n/4, not below 1."""
    x = numpy.asarray(values, float)
    n = len(x)
    score = int(sum(numpy.sign(x[i + 1:] - x[i]).sum() for i in range(n)))
    _, ties = numpy.unique(x, return_counts=True)
    variance = (n * (n - 1) * (2 * n + 5) - (ties * (ties - 1) * (2 * ties + 5)).sum()) / 18
    slope = scipy.stats.theilslopes(x, numpy.arange(n))[0]
    ranks = scipy.stats.rankdata(x - slope * numpy.arange(n))
    ranks = ranks - ranks.mean()
    total = 0.0
    for lag in range(1, n // 4 + 1):
        correlation = (ranks[lag:] * ranks[:-lag]).sum() / (ranks ** 2).sum()
        if abs(correlation) > scipy.stats.norm.ppf(0.975) / math.sqrt(n):
            total += (n - lag) * (n - lag - 1) * (n - lag - 2) * correlation
    correction = max(1 + 2 / (n * (n - 1) * (n - 2)) * total, 1)
    z = (score - numpy.sign(score)) / math.sqrt(variance * correction)
    return score, variance, correction, z, scipy.stats.norm.sf(z)


def theil_sen(values, variance):
    """Slope and interval; scipy's, but for the score's variance."""
    y = numpy.asarray(values, float)
    slopes = numpy.sort([(y[j] - y[i]) / (j - i) for j in range(len(y)) for i in range(j)])
    reach = scipy.stats.norm.ppf(0.975) * math.sqrt(variance)
    low = max(round((len(slopes) - reach) / 2) - 1, 0)
    high = min(round((len(slopes) + reach) / 2), len(slopes) - 1)
    return numpy.median(slopes), slopes[low], slopes[high]


def change_points(values, resolution=0.0):
    """The cheapest cut into stretches of at least four points: numpy's lines, all cuts tried."""
    y = numpy.asarray(values, float)
    n = len(y)
    noise = max(1.4826 * sorted(abs(numpy.diff(y, 2)))[(n - 2) // 2] / math.sqrt(6), resolution)
    penalty = 3 * noise ** 2 * math.log(n)

    def cost(a, b):
        x = numpy.arange(a, b)
        return ((y[a:b] - numpy.polyval(numpy.polyfit(x, y[a:b], 1), x)) ** 2).sum()

    best = {0: (0.0, [])}
    for end in range(4, n + 1):
        best[end] = min(((best[start][0] + cost(start, end) + penalty, best[start][1] + ([start] if start else []))
                         for start in range(end - 3) if start in best), key=lambda item: item[0])
    return noise, best[n][1]


def show(name, values, resolution=0.0):
    score, variance, correction, z, p = mann_kendall(values)
    known = scipy.stats.theilslopes(values, range(len(values)), 0.95)
    assert numpy.allclose(theil_sen(values, variance), (known[0], known[2], known[3]))
    slope, low, high = theil_sen(values, variance * correction)
    print(f"  slope {slope:.9f} low {low:.9f} high {high:.9f}")
    noise, cuts = change_points(values, resolution)
    print(f"  noise {noise:.6f} cuts {cuts}")


show("nile", NILE)
show("persistent", persistent(120, 0.8, 1))
show("trendless", persistent(120, 0.8, 0))
show("warm-up", [min(i, 20) * 50 + (i * 37 % 11) for i in range(80)])
show("stairs", [100 * (i // 10) for i in range(60)], 5)
