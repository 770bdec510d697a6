package dev.leakline.report.diff;

/** How the page of a comparison looks: in both colour schemes, on a phone, on paper. Its colours are those of a report's page. */
final class DiffStyle {
    static final String CSS = """
            :root { color-scheme: light dark; --paper: #fff; --ink: #1b1c1e; --faint: #62646a; --line: #dddee0;
                --rise: #b34300; --fall: #00664c; --live: #0072b2; }
            @media screen and (prefers-color-scheme: dark) {
                :root { --paper: #16171a; --ink: #e7e7e4; --faint: #989ba0; --line: #34363b;
                    --rise: #ff8a3d; --fall: #5cc9a3; --live: #489ed6; }
            }
            body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
                font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
            main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
            h1 { font-size: 1.4rem; line-height: 1.35; margin: 0 0 1rem; }
            h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
            p { margin: 0; }
            .faint, dt, caption, small { color: var(--faint); }
            .rise { color: var(--rise); fill: var(--rise); }
            .fall { color: var(--fall); fill: var(--fall); }
            .verdict { font-weight: 600; }
            .legend { font-size: 13px; margin-top: 2rem; }
            dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: 0; }
            dd { margin: 0; }
            .findings { list-style: none; padding: 0; margin: 0; }
            .findings li { display: flex; gap: .8rem; padding: .5rem 0; border-top: 1px solid var(--line); }
            .findings b { flex: 0 0 4.2rem; }
            .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem;
                align-items: end; }
            figure { margin: 0; }
            figcaption { font-size: 13px; }
            .chart { display: block; width: 100%; }
            .chart text { font-size: 11px; fill: var(--faint); }
            .chart path { fill: none; stroke: var(--line); }
            .chart .live { fill: var(--live); fill-opacity: .25; stroke: var(--live); }
            .chart .reference { stroke: var(--ink); stroke-dasharray: 4 4; }
            .chart circle { fill: var(--ink); }
            .chart .label { fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
            table { border-collapse: collapse; table-layout: fixed; width: 100%; margin-top: 1.2rem; font-size: 14px; }
            caption { text-align: left; font-size: 13px; }
            th, td { padding: .25rem .5rem; text-align: right; vertical-align: top; border-top: 1px solid var(--line);
                font-weight: normal; }
            tr > :first-child { text-align: left; padding-left: 0; }
            tr > :last-child { width: 11rem; padding-right: 0; }
            thead th { color: var(--faint); width: 6.5rem; }
            .settings th, .settings td { width: auto; text-align: left; }
            .bar { display: block; width: 100%; height: 5px; }
            h1::first-letter, h2::first-letter, caption::first-letter, li::first-letter, div > p::first-letter {
                text-transform: uppercase; }
            @media (max-width: 40rem) {
                thead td { display: none; }
                tr { display: grid; grid-template-columns: 1fr 1fr 1fr; border-top: 1px solid var(--line); padding: .25rem 0; }
                th, td, thead th, tr > :last-child { border: 0; padding: 0; width: auto; }
                small { display: block; }
                tr > th[scope=row] { grid-column: 1 / -1; }
            }
            @media print { main { max-width: none; padding: 0; } tr, li, figure { break-inside: avoid; }
                h2, caption { break-after: avoid; } }
            """;

    private DiffStyle() {}
}
