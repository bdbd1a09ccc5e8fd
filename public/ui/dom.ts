// Building nodes. The same calls run in the browser and, over a document that only writes HTML, on the server.

import { basePath, document } from '#platform'
import { addBase } from '../../lib/core/text/links/base-path.ts'

export type Child = Node | string | number | null | undefined | false | readonly Child[]

type Value = string | number | boolean | null | undefined | readonly (string | false | null | undefined)[]

/**
 * Attributes by name. `true` is an empty attribute; `false`, `null` and `undefined` leave it out, but `aria-*` and
 * `data-*` become "false". A list is joined by spaces. A function under `onclick` and its like is a listener. There is
 * no `style`: the page's policy forbids it; use a class, or `node.style.setProperty` for a number.
 */
export type Props = { [name: string]: Value | ((event: never) => void) } & { style?: never }

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props?: Props | null,
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), props ?? {}, children)
}

/** As `el`, for the tags of SVG. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  props: Props,
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children)
}

/** Children as nodes and strings, the absent ones left out. */
export function flatten(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child): (Node | string)[] => {
    if (Array.isArray(child)) return flatten(child)
    if (child === null || child === undefined || child === false) return []
    return typeof child === 'object' ? [child as Node] : [String(child)]
  })
}

function fill<Built extends Element>(element: Built, props: Props, children: readonly Child[]): Built {
  for (const [name, value] of Object.entries(props)) setProp(element, name, value)
  // One by one: a call is limited in its number of arguments.
  for (const child of flatten(children)) element.append(child)
  return element
}

function setProp(element: Element, name: string, value: Props[string]): void {
  if (typeof value === 'function') {
    element.addEventListener(name.slice(2), value as EventListener)
    return
  }
  const text = attributeText(name, value)
  if (text !== null) element.setAttribute(name, isAddress.test(name) ? addBase(basePath, text) : text)
}

/** Those of Void begin at its own root. */
const isAddress = /^(?:href|src|action)$/

function attributeText(name: string, value: Value): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') {
    if (name.startsWith('aria-') || name.startsWith('data-')) return String(value)
    return value ? '' : null
  }
  if (typeof value === 'object') return value.filter(Boolean).join(' ') || null
  return String(value)
}
