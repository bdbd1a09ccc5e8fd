import { formatMoment, type Moment } from './format-moment.ts'

/** What of a template is filled in; further ones stay as they are, so that a text cannot grow without end. */
const maxFilled = 1000

const field = /\{\{ ?(date|time|title)(?::([^{}\n]{1,100}))? ?\}\}/gi

/** A template with `{{date}}`, `{{time}}`, `{{title}}` filled in; `{{date:dddd D MMMM}}` takes a pattern. */
export function fillTemplate(text: string, { title, ...moment }: Moment & { title: string }): string {
  let filled = 0
  return text.replace(field, (whole, name: string, pattern: string | undefined) => {
    filled += 1
    if (filled > maxFilled) return whole
    if (name.toLowerCase() === 'title') return title
    return formatMoment(moment, pattern?.trim() ?? (name.toLowerCase() === 'date' ? 'YYYY-MM-DD' : 'HH:mm'))
  })
}
