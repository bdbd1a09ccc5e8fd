/** Names that hide what a script looks for in the document, ids that stand in for the app's own, and its templates. */
export function namingTexts(): string[] {
  const names = [
    'app',
    'view',
    'preloaded',
    'content',
    'token',
    'document',
    'body',
    'attributes',
    'firstChild',
    '__proto__',
  ]
  return [
    ...names.map(
      (name) => `<form id=${name} name=${name}><input id=${name} name=attributes onfocus=RUN></form>`,
    ),
    ...names.map((name) => `<a id=${name}></a><a id=${name} name=href href="javascript:RUN">tap</a>`),
    ...names.map((name) => `<img name=${name} id=${name} src=x onerror=RUN>`),
    '<script type="application/json" id="preloaded">{"/api/spaces":{"items":[{"slug":"javascript:RUN"}]}}</script>',
    '</script><script>RUN</script><script type="application/json">',
    '<!--<script>"</script><script>RUN</script>',
    '\u2028RUN\u2029</script>',
    '{{constructor.constructor("RUN")()}}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a template would take for a hole
    '${RUN}',
    '<%= RUN %> #{RUN} {%RUN%} [[constructor.constructor("RUN")()]]',
    '<div data-cite="1" class="cite" onclick=RUN>1</div>',
    '<div is=void-card data-controller=x data-action="click->RUN" hx-on:click=RUN x-init=RUN v-html="RUN" ng-init=RUN>',
    '\uE0001\uE001\uE000<img src=x onerror=RUN>\uE001',
    '\'"`--></style></script></title></textarea><img src=x onerror=RUN>',
    '\';RUN//\\\';RUN//";RUN//\\";RUN//--></script>">\'><script>RUN</script>',
    'jaVasCript:/*-/*`/*\\`/*\'/*"/**/(/* */oNcliCk=RUN )//%0D%0A//</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd=RUN//>',
    '__proto__: {onerror: RUN}',
    'constructor[prototype][innerHTML]=<img src=x onerror=RUN>',
  ]
}
