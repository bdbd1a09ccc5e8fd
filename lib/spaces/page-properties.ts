import type { Properties } from '../contract/entities/property.ts'
import { splitFrontMatter } from '../text/front-matter.ts'
import { listProperties } from '../text/properties/read-properties.ts'
import { typedProperty } from '../text/properties/typed-properties.ts'

type Item = Properties['items'][number]

/** The properties in the front matter of a text, for showing. */
export const propertiesIn = (text: string): Item[] =>
  listProperties(splitFrontMatter(text).yaml).map(({ name, values, value }) => {
    const typed = value === undefined ? null : typedProperty(name, value)
    // One that is cut, cleaned or left out in part would lose something when it is changed.
    const isFlat = !Array.isArray(value) || value.length === values.length
    const isWhole =
      isFlat && typed !== null && JSON.stringify(typed.value) === JSON.stringify(value === '' ? null : value)
    return {
      name,
      values,
      ...(isWhole ? { type: typed.type, value: typed.value } : { type: null, value: null }),
    }
  })
