import { z } from 'zod'
import { correctFields } from '../../contract/correct-fields.ts'
import { type Kind, textOf } from '../../contract/entities/kind.ts'
import { invalid } from '../../core/errors.ts'
import { splitFrontMatter } from '../../core/text/markdown.ts'
import { editProperties, type PropertyEdit } from '../../core/text/properties/edit-properties.ts'
import { type PropertyValue, propertyValues } from '../../core/text/properties/read-properties.ts'
import { cleanTag } from '../../core/text/properties/tag.ts'
import { propertyKey } from '../../core/text/properties/typed-properties.ts'

type Fields = Record<string, unknown>

const written = z.object({
  tags: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.custom<PropertyValue>()).optional(),
})

/**
 * `payload` with its tags and properties written into the front matter of the long text, which is that of the payload or
 * else of `fields`. Throws a 400 `AppError` for values that a property cannot have, and for front matter that cannot be
 * changed line by line.
 */
export function writeFrontMatter(kind: Kind, fields: Fields, payload: Fields): Fields {
  const { frontMatter, bodyField } = kind
  if (!frontMatter) return payload
  const names = Object.keys(frontMatter.shape)
  const own = Object.fromEntries(Object.entries(payload).filter(([name]) => names.includes(name)))
  if (Object.keys(own).length === 0) return payload
  const { problems } = correctFields(frontMatter.partial(), own, { at: 'payload' })
  if (problems.length > 0) throw invalid(problems.join(' '))

  const { tags, properties = {} } = written.parse(frontMatter.partial().parse(own))
  const values: [string, PropertyValue][] = Object.entries(properties)
  if (tags) values.push(['tags', tags.length > 0 ? tags.map((tag) => cleanTag(tag) ?? tag) : null])
  const rest = Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)))
  const text = textOf(rest[bodyField] ?? fields[bodyField])
  return { ...rest, [bodyField]: values.reduce((now, [name, value]) => setProperty(now, name, value), text) }
}

/** `null` removes it. */
function setProperty(text: string, name: string, value: PropertyValue): string {
  const { yaml } = splitFrontMatter(text)
  const there = propertyValues(yaml).find((each) => propertyKey(each.name) === propertyKey(name))
  if (value === null && !there) return text
  const edit: PropertyEdit =
    value === null
      ? { remove: { name: there?.name ?? name } }
      : there
        ? { set: { name: there.name, value } }
        : { add: { name, value } }
  const edited = editProperties(text, edit)
  if (edited.text !== null) return edited.text
  throw invalid(`The property ${name} is written in a form that can only be changed by edits of the text.`)
}
