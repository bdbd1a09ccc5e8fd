import { AppError } from '../../core/errors.ts'
import { quoteName } from '../../core/text/quote-name.ts'

const maxNameTokens = 40

/** The name as it may stand in a sentence. */
export const quoteTool = (name: string): string => quoteName(name, maxNameTokens)

export const mayNotCall = (tool: string) =>
  new AppError(
    'forbidden',
    403,
    `The owner has not allowed calls of ${quoteTool(tool)}. Tell them what you would need.`,
  )

export const hasChanged = (tool: string) =>
  new AppError(
    'tool_changed',
    409,
    `The tool ${quoteTool(tool)} has changed and is off until the owner has looked at it in the Space’s sources.`,
  )
