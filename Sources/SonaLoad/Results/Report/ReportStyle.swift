/// How the page looks: light or dark as the reader's system is, and black on white on paper.
///
/// Texts have a contrast of at least 4.5 to their ground, lines of charts 3 (WCAG 2.2, 1.4.3 and 1.4.11).
enum ReportStyle {
    static let text = colors + layout + charts + paper

    private static let colors = """
        :root {
          color-scheme: light dark;
          --page: #f5f6f8; --card: #ffffff; --ink: #14181f; --soft: #57606d; --edge: #dfe3e8; --grid: #e9ecf0;
          --c1: #1c5fd4; --c2: #b84a00; --c3: #8a93a0; --c4: #0b7a58; --c5: #7a3fc4;
          --red: #c4202f; --amber: #8f5d00; --green: #11703f; --warn: #fff6df; --bad: #fdecec;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #0f1217; --card: #171b22; --ink: #e7eaf0; --soft: #9ca6b5; --edge: #2a313c; --grid: #232a34;
            --c1: #78abff; --c2: #ffa85c; --c3: #78828f; --c4: #56cfa0; --c5: #c39bff;
            --red: #ff7a85; --amber: #f2c155; --green: #5fd08c; --warn: #2b2414; --bad: #321a1d;
          }
        }

        """

    private static let layout = """
        * { box-sizing: border-box; }
        body {
          margin: 0; background: var(--page); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
        }
        header, main, footer { max-width: 1240px; margin: 0 auto; padding: 0 20px; }
        header { padding-top: 32px; }
        h1 { margin: 2px 0 4px; font-size: 1.75rem; line-height: 1.25; letter-spacing: -.01em; overflow-wrap: anywhere; }
        h2 { margin: 36px 0 12px; font-size: 1.1rem; }
        h3 { margin: 0; font-size: .95rem; }
        p { margin: 0; }
        .kind { color: var(--soft); font-size: .9rem; }
        .facts, footer, figcaption p, small, caption { color: var(--soft); }
        header .facts { overflow-wrap: anywhere; font-size: .9rem; }
        .run { margin-top: 8px; overflow-wrap: anywhere; }
        .name { display: inline-block; min-width: 1.6em; border-radius: 5px; text-align: center; color: var(--card); }
        .name.c1 { background: var(--c1); } .name.c2 { background: var(--c2); }
        .badge {
          display: inline-block; margin-left: 6px; padding: 0 9px; border: 1px solid; border-radius: 99px;
          font-size: .85rem; font-weight: 600; color: var(--soft);
        }
        .good { color: var(--green); } .bad { color: var(--red); } .badge.warn { color: var(--amber); }
        .notices { margin: 20px 0 0; padding: 0; list-style: none; display: grid; gap: 8px; }
        .notices li {
          padding: 8px 14px; border: 1px solid var(--edge); border-left: 4px solid var(--c3); border-radius: 8px;
          background: var(--card); overflow-wrap: anywhere; color: var(--ink);
        }
        .notices .warn { background: var(--warn); border-left-color: var(--amber); }
        .notices .bad { background: var(--bad); border-left-color: var(--red); }
        .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(46%, 270px), 1fr)); gap: 12px; margin: 20px 0; }
        .tile, .card { background: var(--card); border: 1px solid var(--edge); border-radius: 12px; }
        .tile { padding: 12px 14px; display: grid; align-content: start; }
        .tile span { color: var(--soft); font-size: .85rem; }
        .tile b { font-size: 1.6rem; line-height: 1.3; font-weight: 650; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .tile small { min-height: 1.5em; }
        .card { padding: 16px 18px; }
        .tables { columns: 360px; column-gap: 16px; }
        .tables .card { break-inside: avoid; margin-bottom: 16px; }
        table { border-collapse: collapse; width: 100%; font-size: .9rem; }
        caption { text-align: left; padding-bottom: 6px; font-weight: 600; color: var(--ink); }
        th, td { padding: 4px 10px 4px 0; text-align: left; vertical-align: top; border-top: 1px solid var(--grid); }
        thead th { border-top: 0; color: var(--soft); font-weight: 500; }
        tbody th { font-weight: 400; }
        .figures tbody th { overflow-wrap: anywhere; }
        .figures td, .figures thead th + th { text-align: right; padding: 4px 0 4px 10px; white-space: nowrap; font-variant-numeric: tabular-nums; }
        table.facts td { overflow-wrap: anywhere; }
        table.facts { color: inherit; }
        table.facts th[scope="row"] { width: 16em; }
        td.good, td.bad { white-space: nowrap; font-weight: 600; }
        .scroll { overflow-x: auto; }
        code, pre { font: .88rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
        pre { margin: 8px 0 0; max-height: 24em; }
        details { margin-top: 8px; }
        summary { cursor: pointer; color: var(--soft); font-size: .85rem; width: fit-content; }
        details .scroll { max-height: 20em; overflow-y: auto; }
        :focus-visible { outline: 2px solid var(--c1); outline-offset: 2px; border-radius: 4px; }
        footer { padding-top: 24px; padding-bottom: 40px; font-size: .85rem; }

        """

    private static let charts = """
        .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 540px), 1fr)); gap: 16px; align-items: start; }
        figure { margin: 0; min-width: 0; }
        figcaption p { font-size: .85rem; line-height: 1.4; min-height: 1.4em; }
        .reading { display: flex; justify-content: space-between; gap: 12px; margin: 8px 0 2px; min-height: 1.6em; font-size: .85rem; }
        .legend { display: flex; flex-wrap: wrap; gap: 0 14px; margin: 0; padding: 0; list-style: none; }
        .legend b { display: inline-block; min-width: 5.2em; font-variant-numeric: tabular-nums; }
        .legend .key { width: 18px; height: 10px; margin-right: 5px; }
        .at { color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums; }
        .plot { overflow-x: auto; }
        .plot svg { display: block; width: 100%; min-width: 440px; height: auto; touch-action: pan-y; }
        .plot text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--soft); }
        .grid, .tick, .axis, .phase, .cursor { fill: none; stroke: var(--grid); }
        .axis, .tick { stroke: var(--c3); }
        path.phase { stroke: var(--c3); stroke-dasharray: 2 3; }
        .plot text.phase { stroke: none; font-size: 11px; fill: var(--soft); }
        .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
        .line.background { stroke-width: 1.25; }
        .line.dashed { stroke-dasharray: 7 3; }
        .line.c1 { stroke: var(--c1); } .line.c2 { stroke: var(--c2); } .line.c3 { stroke: var(--c3); }
        .line.c4 { stroke: var(--c4); } .line.c5 { stroke: var(--c5); } .line.red { stroke: var(--red); }
        .line.amber { stroke: var(--amber); }
        .bars.red, .dot.red { fill: var(--red); } .bars.amber, .dot.amber { fill: var(--amber); }
        .bars.c5, .dot.c5 { fill: var(--c5); }
        .dot.c1 { fill: var(--c1); } .dot.c2 { fill: var(--c2); } .dot.c3 { fill: var(--c3); } .dot.c4 { fill: var(--c4); }
        .cursor { stroke: var(--soft); }
        .dot { stroke: var(--card); stroke-width: 1.5; }
        .cursor, .dot { visibility: hidden; }
        .is-read .cursor, .is-read .dot { visibility: visible; }

        """

    private static let paper = """
        @media print {
          :root {
            color-scheme: light;
            --page: #fff; --card: #fff; --ink: #000; --soft: #444; --edge: #bbb; --grid: #ddd;
            --c1: #1c5fd4; --c2: #b84a00; --c3: #8a93a0; --c4: #0b7a58; --c5: #7a3fc4;
            --red: #c4202f; --amber: #8f5d00; --green: #11703f; --warn: #fff; --bad: #fff;
          }
          @page { margin: 14mm; }
          body { font-size: 10.5pt; }
          header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
          header { padding-top: 0; }
          details, .at { display: none; }
          .charts { grid-template-columns: 1fr 1fr; }
          .tables { columns: 2; }
          .tiles { grid-template-columns: repeat(4, 1fr); }
          .plot svg { min-width: 0; }
          .plot text { font-size: 16px; }
          .card, .tile, li { break-inside: avoid; }
          h2 { break-after: avoid; }
          .bars, .name { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }

        """
}
