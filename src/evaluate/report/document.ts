import { escapeHtml } from './words.ts';

/**
 * Creates a report as one HTML file that works without a server, scripts, fonts or other files. @param title plain text, not HTML @param parts
 * HTML of the sections; empty sections are left out
 */
export function createHtmlDocument(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(title)} – Bonafide</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${parts.filter(Boolean).join('\n')}
</main>
</body>
</html>
`;
}

// Style sheet: light or dark by the reader's preference, light in print, one column on a phone.
const STYLE = `
:root{color-scheme:light dark;--ink:#1b2027;--soft:#5c6672;--paper:#fff;--tint:#f4f6f8;--line:#dde2e8;--genuine:#1f6fc4;--others:#c8601a;--band:#1f6fc42e;--good:#1a7f4b;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e4e8ed;--soft:#9ba6b3;--paper:#13171c;--tint:#1c2229;--line:#333c46;--genuine:#6cb2ff;--others:#f39a58;--band:#6cb2ff33;--good:#63cf97;--bad:#ff8a80}}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--paper:#fff;--tint:#f6f6f6;--line:#ccc;--genuine:#1f6fc4;--others:#c8601a;--band:#1f6fc42e;--good:#1a7f4b;--bad:#b3261e}body{font-size:10pt}figure,.card,.miss,tr{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word;font-variant-numeric:tabular-nums}
main{max-width:64rem;margin:0 auto;padding:2rem 1rem 4rem}
header>p,.hint,figcaption{color:var(--soft)}
h1{font-size:1.8rem;line-height:1.2;margin:0 0 .3rem}
h2{font-size:1.3rem;margin:3rem 0 .4rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.6rem 0 .4rem}
p{margin:.3rem 0 .8rem;max-width:48rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.6rem,1fr));gap:.7rem;margin:1.5rem 0}
.card{background:var(--tint);border-radius:10px;padding:.75rem .9rem}
.card b{display:block;font-size:1.65rem;line-height:1.2;font-weight:650}
.card span{display:block;font-size:.86rem;line-height:1.3}
.card small,td small,th small{display:block;color:var(--soft);font-size:.76rem;font-weight:400;line-height:1.35}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1.2rem 2rem}
figure{margin:.6rem 0}
figcaption{font-size:.88rem;line-height:1.4}
figcaption b{color:var(--ink)}
svg.plot{display:block;width:100%;height:auto;overflow:visible}
.grid{stroke:var(--line)}
.axis,.tickmark{stroke:var(--soft)}
.tick,.label,.note,.word{font:11px system-ui,sans-serif;fill:var(--soft)}
.note{fill:var(--ink);font-weight:600}
.word{font-size:8px;letter-spacing:.03em}
.edge{stroke:var(--soft);stroke-dasharray:2 3}
.chance{fill:none;stroke:var(--soft);stroke-dasharray:4 4}
.band{fill:var(--band)}
.curve{fill:none;stroke:var(--genuine);stroke-width:2;stroke-linejoin:round}
.dot,.genuine{fill:var(--genuine)}
.others{fill:var(--others)}
.mark{fill:var(--paper);stroke:var(--ink);stroke-width:1.6}
.spike{stroke:var(--soft);stroke-width:2;opacity:.45}
.whisker{stroke:var(--genuine);stroke-width:2;stroke-linecap:round}
.bar{display:block;width:100%;min-width:6rem;height:.3rem;margin:.15rem 0}
.rest{fill:var(--line)}
.forest{display:block;width:5.2rem;height:.65rem;margin:.1rem 0}
.key::before{content:"";display:inline-block;width:.7em;height:.7em;border-radius:2px;margin-right:.35em;background:currentColor}
.key{white-space:nowrap}
.key.is{color:var(--genuine)}
.key.not{color:var(--others)}
.scroll{overflow-x:auto;margin:.4rem 0 1rem}
table{border-collapse:collapse;font-size:.9rem;min-width:min(100%,30rem)}
th,td{padding:.38rem .7rem .38rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);font-weight:400}
td{white-space:nowrap}
thead th{color:var(--soft);font-size:.8rem;vertical-align:bottom;line-height:1.25}
tbody th{font-weight:600}
.sub{padding-left:1rem;font-weight:400}
.sub+small{padding-left:1rem}
.better{color:var(--good);font-weight:600}
.worse{color:var(--bad);font-weight:600}
.misses{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:.9rem;margin:.8rem 0}
.miss{border:1px solid var(--line);border-radius:10px;padding:.75rem .9rem}
.miss header{display:flex;justify-content:space-between;gap:1rem;align-items:baseline}
.miss header b{font-size:1.4rem}
.miss p{font-size:.86rem;color:var(--soft);margin:.1rem 0 .5rem}
.steps{list-style:none;margin:.5rem 0;padding:0;font-size:.84rem}
.steps li{display:grid;grid-template-columns:minmax(0,1fr) 3.6rem 38%;gap:.5rem;align-items:center;padding:.16rem 0;line-height:1.3}
.steps svg{width:100%;height:.8rem}
.bits{text-align:right}
details{margin:1rem 0}
summary{cursor:pointer;font-weight:600}
@media (max-width:30rem){main{padding:1.2rem .9rem 3rem}.steps li{grid-template-columns:minmax(0,1fr) 3.4rem}.steps svg{grid-column:1/-1}td small{white-space:normal}th,td{padding-right:.5rem}table{font-size:.84rem}}
`;
