/** Markup that means one thing to whoever cleans it and another once it is parsed again. */
export function mutationTexts(): string[] {
  const hidden = [
    '<img src=x onerror=RUN>',
    '<script>RUN</script>',
    '<a href="javascript:RUN">tap</a>',
    '<svg onload=RUN>',
  ]
  return [...wrappers.flatMap((wrap) => hidden.map((text) => wrap(text))), ...known]
}

const wrappers: ((text: string) => string)[] = [
  (text) => `<noscript><p title="</noscript>${text}">`,
  (text) => `<title><p title="</title>${text.replaceAll('"', '')}">`,
  (text) => `<textarea><p title="</textarea>${text.replaceAll('"', '')}">`,
  (text) => `<template>${text}</template>`,
  (text) => `<xmp><p title="</xmp>${text.replaceAll('"', '')}">`,
  (text) => `<noembed><p title="</noembed>${text.replaceAll('"', '')}">`,
  (text) => `<noframes><p title="</noframes>${text.replaceAll('"', '')}">`,
  (text) => `<iframe><p title="</iframe>${text.replaceAll('"', '')}">`,
  (text) => `<plaintext>${text}`,
  (text) => `<!--><p title="-->${text.replaceAll('"', '')}">`,
  (text) => `<!-- --!>${text}<!-- -->`,
  (text) => `<![CDATA[ ]]>${text}`,
  (text) => `<!doctype x [<!entity y "${text.replaceAll('"', "'")}">]>&y;`,
  (text) => `<?php ?>${text}`,
  (text) => `<svg><style><p title="</style>${text.replaceAll('"', '')}">`,
  (text) => `<math><mtext><table><mglyph><style><!--</style>${text}`,
  (text) => `<math><mtext><mglyph><svg><mtext><textarea><path id="</textarea>${text.replaceAll('"', '')}">`,
  (text) => `<math><annotation-xml encoding="text/html">${text}</annotation-xml></math>`,
  (text) => `<svg><foreignObject>${text}</foreignObject></svg>`,
  (text) => `<svg><desc><noscript>${text}</noscript></desc></svg>`,
  (text) => `<form><math><mtext></form><form><mglyph><style></math>${text}`,
  (text) => `<table><tr><td></table>${text}<caption>`,
  (text) => `<select><option>${text}</select>`,
  (text) => `<p><p><p title='"'>${text}`,
  (text) => `<details><summary>${text}</details>`,
  (text) => `<kbd><del>${text}</sub></mark>`,
]

const known = [
  '<math><mtext><table><mglyph><style><![CDATA[</style><img title="]]>&lt;/mglyph&gt;&lt;img src=1 onerror=RUN&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=RUN>">',
  '<form id=x><svg><style></form><img src=x onerror=RUN></style></svg>',
  '<p id="</p><img src=x onerror=RUN>"><![CDATA[><image x="]]><img src=x onerror=RUN>',
  '<svg><p><style><g title="</style><img src=x onerror=RUN>">',
  '<math><mi//xlink:href="data:x,<script>RUN</script>">',
  '<a id="x`y<img src=x onerror=RUN>`">',
  '<select><template><style><!--</style><a rel="--></style></template></select><img src=x onerror=RUN>">',
  '<div><table><svg><foreignObject><select><table><s></table></select><style><a title="</style><img src=x onerror=RUN>">',
  `${'<div>'.repeat(300)}<table>${'<svg>'.repeat(3)}<style><a title="</style><img src=x onerror=RUN>">`,
]
