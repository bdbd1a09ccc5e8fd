// The text that a reader of HTML sees, for the reference: by tags alone, apart from the parser and the converter that Void
// reads with. What an element hides by its style, by a style sheet's class or id, or by an attribute is left out.

import { parseHTML } from 'linkedom'

const unseen = new Set(
  'script style noscript template title head iframe object svg canvas audio video button select textarea'.split(
    ' ',
  ),
)
const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Text of these holds no tags. */
const raw = new Set(['script', 'style', 'title', 'textarea'])

const hidden =
  /display:none|visibility:hidden|opacity:0(?![.\d])|mso-hide:all|text-indent:-\d{3}|(?:^|;)(?:max-)?(?:height|width):0(?![.\d]).*overflow:hidden|overflow:hidden.*(?:max-)?(?:height|width):0(?![.\d])|(?:^|;)color:transparent|(?:left|top|margin-left):-\d{4}/i
const noSize = /(?:^|;)font-size:0(?![.\d])/i
const sized = /(?:^|;)font(?:-size)?:(?!0(?![.\d]))/i

type Open = { name: string; isSeen: boolean; hasSize: boolean }

export function shownText(html: string): string {
  const rules = hidingRules(html)
  const open: Open[] = []
  const texts: string[] = []
  let at = 0
  while (at < html.length) {
    const start = html.indexOf('<', at)
    const top = open.at(-1)
    const text = html.slice(at, start === -1 ? undefined : start)
    if (!top || (top.isSeen && top.hasSize)) texts.push(text)
    if (start === -1) break
    if (html.startsWith('<!--', start)) {
      const end = html.indexOf('-->', start)
      at = end === -1 ? html.length : end + 3
      continue
    }
    const end = html.indexOf('>', start)
    const tag = end === -1 ? null : /^<(\/?)([a-z][\w:-]*)(.*)$/is.exec(html.slice(start, end))
    if (!tag) {
      if (/^<[!?/]/.test(html.slice(start, start + 2)) && end !== -1) at = end + 1
      else {
        if (!top || (top.isSeen && top.hasSize)) texts.push('<')
        at = start + 1
      }
      continue
    }
    at = end + 1
    const [, slash, written = '', attributes = ''] = tag
    const name = written.toLowerCase()
    if (!inline.has(name)) texts.push(' ')
    if (slash) {
      const last = open.findLastIndex((one) => one.name === name)
      if (last >= 0) open.length = last
      continue
    }
    if (empty.has(name)) {
      if (name === 'img' && (!top || top.isSeen)) texts.push(` ${attributeOf(attributes, 'alt')} `)
      continue
    }
    const style = attributeOf(attributes, 'style').replace(/\s/g, '')
    const names = [
      `#${attributeOf(attributes, 'id')}`,
      ...attributeOf(attributes, 'class')
        .split(/\s+/)
        .map((one) => `.${one}`),
    ]
    const isSeen =
      (top?.isSeen ?? true) &&
      !unseen.has(name) &&
      !hidden.test(style) &&
      !/(?:^|\s)hidden(?:\s|=|\/?$)/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, '""')) &&
      !names.some((one) => rules.has(one))
    const hasSize = noSize.test(style) ? false : sized.test(style) || (top?.hasSize ?? true)
    if (raw.has(name)) {
      const close = html.toLowerCase().indexOf(`</${name}`, at)
      at = close === -1 ? html.length : close
    }
    open.push({ name, isSeen, hasSize })
  }
  return decoded(texts.join(''))
}

/** Elements that no space comes of. */
const inline = new Set(
  'a abbr acronym b big bdo bdi cite code em font i ins kbd mark q s samp small span strong strike sub sup tt u var wbr o:p'.split(
    ' ',
  ),
)

const attributeOf = (attributes: string, name: string): string => {
  const [, double, single, bare] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes) ?? []
  return double ?? single ?? bare ?? ''
}

function hidingRules(html: string): Set<string> {
  const rules = new Set<string>()
  for (const [, sheet = ''] of html.matchAll(/<style\b[^>]*>([^<]*(?:<(?!\/style)[^<]*)*)/gi)) {
    const plain = sheet.replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, '')
    let depth = 0
    let before = ''
    for (const [, text = '', brace = ''] of plain.matchAll(/([^{}]*)([{}])/g)) {
      if (brace === '{') {
        if (depth === 0) before = text.replace(/^[^;]*;/s, '')
        depth += 1
      } else {
        if (depth === 1 && !before.includes('@') && hidden.test(text.replace(/\s/g, '')))
          for (const [, one = ''] of before.matchAll(/(?:^|,)\s*[a-z0-9]*([.#][\w-]+)\s*(?=,|$)/gi))
            rules.add(one)
        depth = Math.max(0, depth - 1)
      }
    }
  }
  return rules
}

/** The text with its character references decoded. */
const decoded = (text: string): string =>
  parseHTML(`<!doctype html><html><body>${text.replaceAll('<', '&lt;')}</body></html>`).document.body
    .textContent
