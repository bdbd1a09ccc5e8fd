import type { EditorView } from '@codemirror/view'
import type { Page, Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { TagCount } from '../../../lib/contract/space/pages.ts'
import type { Suggestion } from '../../../lib/contract/space/search.ts'
import type { LinkAim } from '../../../lib/core/text/links/read-destination.ts'
import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { composeMessage } from '../../app/actions/conversation.ts'
import { messageOf } from '../../app/api/api.ts'
import { attachTo } from '../../app/api/upload.ts'
import type { App } from '../../app/app.ts'
import { loadEditorModes } from '../../app/storage/editor-modes.ts'
import type { ViewContext } from '../../app/view.ts'
import { textContext } from '../../ui/markdown/markdown.ts'
import { withoutTitle } from '../../ui/markdown/outline.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'
import { type MissingPage, missingPage } from '../data/missing-page.ts'
import type { Embedder, LivePage } from '../data/page-data.ts'
import type { Attaching } from './editor/attach-files.ts'
import type { Editor } from './editor/code-mirror.ts'

const maxSuggestions = 12

type EditorOptions = {
  prose: HTMLElement
  page: Page
  /** The text that is written, which may be newer than the page's. */
  text: string
  title: () => string
  links: () => LivePage['links']
  embed: () => Embedder | undefined
  drawing: LivePage['drawing']
  onChange: () => void
  context: ViewContext
  signal: AbortSignal
}

/** The changes of the text that was written last, to be undone when it is written again. */
let left: { id: string; state: unknown } | null = null

export const keepChanges = (id: string, state: unknown): void => {
  left = { id, state }
}

/** Puts the editor into the text. `null` when it could not be loaded. */
export async function loadEditor(options: EditorOptions): Promise<Editor | null> {
  const { prose, page, text, title, links, embed, drawing, onChange, context, signal } = options
  const { app } = context
  const space = context.space!
  try {
    const { createEditor } = await import('./editor/code-mirror.ts')
    const { source } = loadEditorModes()
    const fold = drawing && (await import('./fold-drawing.ts')).foldDrawing
    if (signal.aborted) return null
    const shared = {
      prose,
      start: (now: string) => now.length - withoutTitle(splitFrontMatter(now).content, title()).length,
      context: () => ({
        ...textContext(space, links()),
        path: page.path,
        embed: embed(),
        folds: 'page' as const,
        offersImages: true,
      }),
      earlier: left?.id === page.id ? left.state : null,
      label: 'Page text',
      ...linking(page, { app, space }),
      tags: async (signal: AbortSignal) =>
        (await app.api.get<List<TagCount>>(`/api/spaces/${space.id}/tags`, { signal })).items,
      actions: {
        ask: (view: EditorView) => askAbout(app, view),
        template: (view: EditorView) => void startTemplate(view, title, { app, space }),
        now: app.now,
      },
      attaching: attachingTo(app, space.id),
      links: links(),
      source,
      onChange,
      signal,
    }
    const create = (text: string) => createEditor({ ...shared, text })
    return fold && drawing ? fold({ drawing, prose, text, source, create, signal }) : create(text)
  } catch {
    app.toast('Could not load the editor. You can write in the plain field instead.')
    return null
  }
}

/** What the links of the text lead to, and pages that they name first. */
const linking = (page: Page, { app, space }: { app: App; space: Space }) => {
  const create = (title: string) => createLinked(app, space, { title, parent_id: page.parent_id })
  const missing = (aim: LinkAim) => {
    const fields = missingPage(aim, page)
    const named = quoteShown(fields?.path ?? aim.target)
    if (!fields) return app.toast(`Not found: ${named}.`)
    const action = { label: 'Create page', run: () => createLinked(app, space, fields) }
    app.toast(`There is no ${named} yet.`, { action })
  }
  return {
    pages: {
      create,
      async names(q: string, signal: AbortSignal) {
        const query = { q, space_id: space.id, aliases: true, limit: maxSuggestions }
        return (await app.api.get<List<Suggestion>>(withQuery('/api/suggest', query), { signal })).items
      },
    },
    follow: {
      entity: (type: string, id: string) => void app.navigate(entityHref(space.slug, type, id) ?? '#'),
      missing,
      address(url: string) {
        if (/^\/s\//.test(url)) void app.navigate(url)
        else if (/^(?:https?:\/\/|mailto:)/i.test(url)) window.open(url, '_blank', 'noopener,noreferrer')
      },
    },
  }
}

async function createLinked(app: App, space: Space, { title, ...place }: MissingPage): Promise<void> {
  try {
    const body = { title, body: '', ...place }
    const { id } = await app.api.post<Page>(`/api/spaces/${space.id}/pages`, body)
    const run = () => app.navigate(`${entityHref(space.slug, 'page', id)}?edit=1`)
    app.toast(`Created ${quoteShown(title)}.`, { action: { label: 'Open', run } })
  } catch (error) {
    app.toast(`Could not create ${quoteShown(title)}. ${messageOf(error)}`, { tone: 'problem' })
  }
}

const maxAsked = 300

/** Puts the paragraph of the caret into the composer, for a question about it. */
function askAbout(app: App, { state }: EditorView): void {
  const { text } = state.doc.lineAt(state.selection.main.head)
  const about = text.trim() === '' ? '' : `About ${quoteShown(text.trim(), maxAsked)}: `
  composeMessage(app, about)
}

async function startTemplate(
  view: EditorView,
  title: () => string,
  place: { app: App; space: Space },
): Promise<void> {
  const { insertTemplate } = await import('../notes/template-dialog.ts')
  await insertTemplate(place, title, (text) => {
    const { from, to } = view.state.selection.main
    view.dispatch({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      userEvent: 'input.complete',
      scrollIntoView: true,
    })
    view.focus()
  })
}

const attachingTo = (app: App, spaceId: string): Attaching => ({
  attach: (file, options) => attachTo(spaceId, file, options),
  onAttached: (attached) => app.announce(`Attached ${attached.map(({ name }) => name).join(', ')}.`),
  onProblem: (message) => app.toast(message, { tone: 'problem' }),
  now: app.now,
})
