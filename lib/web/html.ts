// HTML made safely: in html`…` every value is escaped, unless it is itself html`…`.

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | Html[]

export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)))
}

function render(value: Value): string {
  if (Array.isArray(value)) return value.map(({ text }) => text).join('')
  if (value instanceof Html) return value.text
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
