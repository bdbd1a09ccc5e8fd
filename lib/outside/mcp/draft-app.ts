// The card of a draft as an MCP App (SEP-1865), for hosts that show such: it says what was drafted and what became of it,
// and leads to Void, where it is decided. https://github.com/modelcontextprotocol/ext-apps

import { readFileSync } from 'node:fs'
import type { ReadResourceResult, Tool } from '@modelcontextprotocol/server'

export const appsExtension = 'io.modelcontextprotocol/ui'
export const draftAppUri = 'ui://void/draft'

const mimeType = 'text/html;profile=mcp-app'

/** Links the tool that drafts to the app. The app may call no tool. */
export const appOf = (toolName: string): Pick<Tool, '_meta'> =>
  ['propose_change', 'revise_change'].includes(toolName)
    ? { _meta: { ui: { resourceUri: draftAppUri, visibility: ['model'] } } }
    : {}

/** A page without anything from elsewhere: with no policy of its own, a host allows it no connection. */
export function loadDraftApp(): ReadResourceResult['contents'][number] {
  const text = readFileSync(new URL('./draft-app.html', import.meta.url), 'utf8')
  return { uri: draftAppUri, mimeType, text, _meta: { ui: { prefersBorder: true } } }
}
