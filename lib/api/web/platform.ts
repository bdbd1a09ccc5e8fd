// The server's side of `#platform`: as much of a document as `el` in public/ui/dom.ts asks for, which can only be
// written out as HTML. Every text and attribute is escaped.

import { AsyncLocalStorage } from 'node:async_hooks'
import { disguiseOf } from '../../core/text/links/disguise.ts'

type Child = ServerElement | ServerText | string

const voidTags = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const namePattern = /^[a-zA-Z][\w:.-]*$/

class ServerText {
  readonly data: string
  constructor(data: string) {
    this.data = data
  }

  get outerHTML(): string {
    return escapeHtml(this.data)
  }
}

class ServerElement {
  readonly #tag: string
  readonly #attributes = new Map<string, string>()
  #children: Child[] = []
  #markup: string | null = null

  constructor(tag: string) {
    this.#tag = checked(tag)
  }

  setAttribute(name: string, value: string): void {
    this.#attributes.set(checked(name), value)
  }

  append(...children: Child[]): void {
    this.#children.push(...children)
  }

  replaceChildren(...children: Child[]): void {
    this.#children = children
  }

  /** Markup that is safe as it stands: what `renderMarkdown` makes. */
  set innerHTML(markup: string) {
    this.#markup = markup
  }

  set textContent(text: string) {
    this.#children = [text]
  }

  addEventListener(): void {}

  get outerHTML(): string {
    const attributes = [...this.#attributes]
      .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
      .join('')
    const open = `<${this.#tag}${attributes}>`
    if (voidTags.has(this.#tag)) return open
    const content = this.#markup ?? this.#children.map(write).join('')
    // A line break right after these tags is dropped by the parser.
    const guard = (this.#tag === 'pre' || this.#tag === 'textarea') && content.startsWith('\n') ? '\n' : ''
    return `${open}${guard}${content}</${this.#tag}>`
  }
}

function write(child: Child): string {
  return typeof child === 'string' ? escapeHtml(child) : child.outerHTML
}

function checked(name: string): string {
  if (!namePattern.test(name)) throw new Error(`not a name in HTML: ${name}`)
  return name
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export const document = {
  createElement: (tag: string) => new ServerElement(tag),
  createElementNS: (_namespace: string, tag: string) => new ServerElement(tag),
  createTextNode: (data: string) => new ServerText(data),
}

const painting = new AsyncLocalStorage<string | null>()

/** Paints for an owner in that time zone; `null`: the server's. */
export const inTimeZone = <Result>(zone: string | null, paint: () => Result): Result =>
  painting.run(zone, paint)

export const timeZone = (): string | null => painting.getStore() ?? null

/** The server adds the base path when it sends a page: lib/api/base-path.ts. */
export const basePath = ''

export const inBrowser = false

/** There is nothing to clean with here: `renderMarkdown` makes markup that is safe by construction. */
export const trustMarkup = (markup: string): string => markup

/** What stands beside a link that pretends to lead elsewhere, as HTML; empty for any other. `label`: safe HTML. */
export function disguiseNote(label: string, href: string): string {
  const text = label
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => marks[name] ?? '')
  const leads = disguiseOf(text, href.trim())
  if (leads === null) return ''
  return ` <span class="badge badge-amber" data-kind="disguise">leads to ${escapeHtml(leads)}</span>`
}

const marks: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
