// `#platform` with nothing cleaned: what is left to hold are the renderer and the page's policy.

export const document: Document = globalThis.document
export const timeZone = (): string | null => null
export const basePath: string = ''
export const inBrowser: boolean = true

type Policy = { createHTML(markup: string): string }
type Factory = { createPolicy(name: string, rules: Policy): Policy }

const { trustedTypes } = globalThis as unknown as { trustedTypes: Factory }
// Under the name that the page's policy grants to DOMPurify, which is not in this bundle.
const policy = trustedTypes.createPolicy('dompurify', { createHTML: (markup) => markup })

export const trustMarkup = (markup: string): string => policy.createHTML(markup)

export const disguiseNote = (_label: string, _href: string): string => ''
