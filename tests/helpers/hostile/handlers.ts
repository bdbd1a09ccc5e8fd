/** Every element that runs a handler by itself or by being touched, in every way an attribute can be written. */
export function handlerTexts(): string[] {
  return [...elements.flatMap(([open, event]) => writings.map((write) => write(open, event))), ...oddities]
}

type Write = (open: string, event: string) => string

/** The tag up to its last attribute, and the event. */
const elements: [string, string][] = [
  ['<img src=x', 'onerror'],
  ['<img src="/icon.svg" srcset=x', 'onerror'],
  ['<image src=x', 'onerror'],
  ['<svg', 'onload'],
  ['<svg><animate attributeName=x dur=1s', 'onbegin'],
  ['<svg><set attributeName=x', 'onbegin'],
  ['<svg><image href=x', 'onerror'],
  ['<svg><a><rect width=99 height=99', 'onclick'],
  ['<body', 'onload'],
  ['<body', 'onpageshow'],
  ['<video><source src=x', 'onerror'],
  ['<video src=x', 'onloadstart'],
  ['<audio src=x', 'onerror'],
  ['<audio controls src=x', 'onloadstart'],
  ['<iframe src=about:blank', 'onload'],
  ['<object data=x', 'onerror'],
  ['<embed src=x', 'onload'],
  ['<link rel=stylesheet href=x', 'onerror'],
  ['<script src=x', 'onerror'],
  ['<style', 'onload'],
  ['<input autofocus', 'onfocus'],
  ['<input type=image src=x', 'onerror'],
  ['<select autofocus', 'onfocus'],
  ['<textarea autofocus', 'onfocus'],
  ['<button autofocus', 'onfocus'],
  ['<div tabindex=1 autofocus', 'onfocus'],
  ['<p contenteditable', 'oninput'],
  ['<details open', 'ontoggle'],
  ['<summary', 'onclick'],
  ['<dialog open', 'onclose'],
  ['<div popover', 'onbeforetoggle'],
  ['<a href=#', 'onclick'],
  ['<a href="https://example.com"', 'onmouseover'],
  ['<kbd', 'onpointerenter'],
  ['<mark', 'onmouseenter'],
  ['<sub', 'oncopy'],
  ['<del', 'ondblclick'],
  ['<br', 'onclick'],
  ['<table background=x', 'onclick'],
  ['<math', 'onclick'],
  ['<marquee', 'onstart'],
  ['<form><input type=submit', 'onclick'],
  ['<p style="content-visibility:auto"', 'oncontentvisibilityautostatechange'],
  ['<x tabindex=1', 'onwheel'],
]

const writings: Write[] = [
  (open, event) => `${open} ${event}="RUN">`,
  (open, event) => `${open} ${event.toUpperCase()} = 'RUN' >text`,
  (open, event) => `${open}/${event}=RUN//`.concat('>'),
  (open, event) => `${open}\n${event}\n=\n"&#x52;UN;&#95;&#95;xss"\u000c${event}2="RUN" ${event}="RUN">`,
  (open, event) => `before **bold ${open} x="\`> ${event}="javascript:RUN">after**`,
]

const oddities = [
  '<img """><img src=x onerror=RUN>"',
  '<img src=x onerror=RUN',
  '<<img src=x onerror=RUN>',
  '<img\u0000 src=x onerror=RUN>',
  '<img src=`x` onerror=`RUN`>',
  '<img alt="<x" title="/>" src=x onerror=RUN>',
  '<img src=x\u00a0onerror=RUN onerror=RUN>',
  '<img src=x:x onerror&#61;RUN>',
  '<IMG SRC=x oNeRrOr="&#95;&#95;xss&lpar;0&rpar;;RUN">',
  '<sub onclick="RUN">tap</sub><kbd/onclick=RUN>tap</kbd>',
  '<details/open/ontoggle=RUN><summary onclick=RUN>tap</summary></details>',
  '<br onclick=RUN><wbr onmouseover=RUN>',
  '<mark x=">" onmouseover=RUN>tap</mark>',
  '</sub onclick=RUN></p onclick=RUN>',
  '<a href="#" onclick\u2028="RUN">tap</a>',
  '<div onclick=RUN style=position:fixed;inset:0>tap</div>',
]
