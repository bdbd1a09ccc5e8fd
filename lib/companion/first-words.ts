import { cleanLine } from '../text/clean.ts'

const longestTitle = 80

/** The first words of a message, as the title of the conversation that it begins. */
export const firstWords = (text: string): string => cleanLine(text).slice(0, longestTitle).toWellFormed()
