// What a view is: a module of views/ that exports `view = defineView({ … })`, and a line in routes.ts.

import type { Space } from '../lib/contract/entities.ts'
import type { LiveEvent } from '../lib/contract/live.ts'
import type { Reader } from './api.ts'
import type { App } from './app.ts'
import type { Child } from './dom.ts'

/** What a view may use to find out what it shows. `load` runs on the server for the first paint. */
export type LoadContext = {
  url: URL
  /** The parts of the address that routes.ts names, such as `id`. */
  params: Readonly<Record<string, string>>
  /** The Space of the address; elsewhere the one last looked at. `null` when there is none at all. */
  space: Space | null
  api: Reader
  now: Date
}

export type ViewContext = LoadContext & {
  app: App
  /** Aborted when the view goes. Hand it to every listener, watcher and request. */
  signal: AbortSignal
  /**
   * Loads again and shows the result. Focus, scroll position and half-filled fields that have an id stay. What
   * was loaded is not shown when `isOutdated` says so by then.
   */
  refresh(isOutdated?: () => boolean): Promise<void>
}

/** What the companion is told that the owner looks at. */
export type Subject = {
  entityType: string
  entityId: string
  title: string
  /** The version that is shown, where the view shows one as it was read. */
  version?: number
}

export type ViewDefinition<Data> = {
  /** Reads everything the view shows. Its GETs travel with the page, so the browser does not ask again. */
  load(context: LoadContext): Promise<Data>
  title(data: Data, context: LoadContext): string
  /** Builds the content. Runs on the server too: only `el` and what is built on it, no `window`, no `document`. */
  render(data: Data, context: ViewContext): Child
  /** `reading` (usual): 72 characters wide, in the middle. `wide`: the whole column. */
  layout?: 'reading' | 'wide'
  subject?(data: Data, context: LoadContext): Subject | null
  /** Browser only, once the nodes are in `root`: keys, live state, editors. Runs again after every refresh. */
  mount?(root: HTMLElement, data: Data, context: ViewContext): void
  /** Whether something that happened elsewhere concerns what is shown; the view is then refreshed. */
  affectedBy?(event: LiveEvent, data: Data, context: LoadContext): boolean
  /** Nothing from outside draws it anew, not even missed events: an editor keeps its text and its caret. */
  keepsItself?(data: Data, context: LoadContext): boolean
}

/** A view with its data: its type is nobody's business any more. */
export type OpenView = {
  title: string
  layout: 'reading' | 'wide'
  subject: Subject | null
  render(context: ViewContext): Child
  mount(root: HTMLElement, context: ViewContext): void
  affectedBy(event: LiveEvent): boolean
  keepsItself: boolean
}

export type View = { open(context: LoadContext): Promise<OpenView> }

export function defineView<Data>(definition: ViewDefinition<Data>): View {
  return {
    async open(context) {
      const data = await definition.load(context)
      return {
        title: definition.title(data, context),
        layout: definition.layout ?? 'reading',
        subject: definition.subject?.(data, context) ?? null,
        render: (whole) => definition.render(data, whole),
        mount: (root, whole) => definition.mount?.(root, data, whole),
        get keepsItself() {
          return definition.keepsItself?.(data, context) ?? false
        },
        affectedBy: (event) => definition.affectedBy?.(event, data, context) ?? false,
      }
    },
  }
}
