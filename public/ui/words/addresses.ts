/** The segment of a kind in an address, and its names for people. */
export const kindNames = {
  page: { path: 'pages', one: 'Page', many: 'Pages' },
  task: { path: 'tasks', one: 'Task', many: 'Tasks' },
  project: { path: 'projects', one: 'Project', many: 'Projects' },
  ref: { path: 'refs', one: 'Reference', many: 'References' },
  resource: { path: 'resources', one: 'Resource', many: 'Resources' },
  page_view: { path: 'views', one: 'View', many: 'Views' },
  source_doc: { path: 'source-docs', one: 'File', many: 'Files' },
} as const

export type KindType = keyof typeof kindNames

/** The kinds of the Library, whose lists are filters of each other. */
export const libraryKinds = ['ref', 'resource', 'source_doc'] as const satisfies KindType[]

export const isKind = (type: string): type is KindType => Object.hasOwn(kindNames, type)

/** The label of a kind; one without a name of its own goes by its type, such as “Mail message”. */
export const kindLabel = (type: string): string =>
  isKind(type) ? kindNames[type].one : type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ')

export const spaceHref = (slug: string): string => `/s/${encodeURIComponent(slug)}`

const elsewhere: Readonly<Record<string, string>> = { mail: 'mail', conversation: 'threads' }

/** Where an entity is shown; with `cite`, the words that are marked there. `null` for what has no address. */
export function entityHref(slug: string, type: string, id: string, cite?: string): string | null {
  const segment = isKind(type) ? kindNames[type].path : (elsewhere[type.split('_')[0]!] ?? null)
  if (segment === null) return null
  const path = `${spaceHref(slug)}/${segment}/${encodeURIComponent(id)}`
  return withQuery(path, { cite: cite?.slice(0, maxCiteLength) })
}

/** Where the pages of a tag are listed. */
export const tagHref = (slug: string, tag: string): string =>
  withQuery(`${spaceHref(slug)}/pages`, { view: 'table', tag })

/** The graph around a page. */
export const graphHref = (slug: string, pageId: string): string =>
  withQuery(`${spaceHref(slug)}/graph`, { around: pageId })

/** In the address of the search, for every Space; without any it is the one last looked at. */
export const everySpace = 'all'

/** Where the results of a search are shown; without a Space, those of every Space. */
export const searchHref = (q: string, spaceId: string = everySpace): string =>
  withQuery('/search', { q, space: spaceId })

/** Where a turn is shown in its conversation, with the call of it that is marked. */
export const turnHref = (slug: string, turnId: string, callId: string | null): string =>
  withQuery(spaceHref(slug), { turn: turnId, call: callId })

/** Characters of a quotation that travel in an address. */
const maxCiteLength = 300

/** A path with a query; values that are null or empty are left out. */
export function withQuery(
  path: string,
  query: Record<string, string | number | boolean | null | undefined>,
): string {
  const pairs = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  )
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return text ? `${path}?${text}` : path
}
