import { cleanLine } from './clean.ts'

const maxTitleLength = 80

/** The first words of a message, as the title of the conversation that it begins. */
export const firstWords = (text: string): string => cleanLine(text).slice(0, maxTitleLength).toWellFormed()
