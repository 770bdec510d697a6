import type { PictureSite } from "./schema";

/**
 * The order in which sites are stacked, bottom first: those of findings, so that their growth is drawn from a straight line; then
 * sites whose bytes change little; then those whose bytes change much.
 */
export function stackingOrder(sites: PictureSite[], bySite: Float64Array[]): number[] {
    const unrest = bySite.map(relativeUnrest);
    const rank = (site: number) => sites[site].finding ?? Number.MAX_SAFE_INTEGER;
    return sites.map((_, index) => index).sort((a, b) => rank(a) - rank(b) || unrest[a] - unrest[b] || a - b);
}

/** How far a series travels up and down, in units of its maximum. */
function relativeUnrest(series: Float64Array): number {
    let travel = 0;
    let maximum = 1;
    for (let i = 1; i < series.length; i++) {
        travel += Math.abs(series[i] - series[i - 1]);
        maximum = Math.max(maximum, series[i]);
    }
    return travel / maximum;
}
