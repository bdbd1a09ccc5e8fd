import { splitFrontMatter } from '../text/front-matter.ts'
import { listProperties } from '../text/properties.ts'

/** The properties in the front matter of a text, for showing. */
export const propertiesIn = (text: string) => listProperties(splitFrontMatter(text).yaml)
