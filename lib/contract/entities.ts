// Rows as the API returns them, kind by kind.

export type Origin = 'owner' | 'agent' | 'import' | 'mail' | 'web' | 'mcp'

/** What every row has. */
export type Entity = {
  id: string
  space_id: string
  version: number
  title: string
  created_at: string
  updated_at: string
  created_by: string
  updated_by: string
  origin: Origin
  deleted_at: string | null
}

export type Page = Entity & { body: string; parent_id: string | null; position: number }

export type TaskStatus = 'open' | 'in_progress' | 'done' | 'cancelled'
export type TaskPriority = 'low' | 'normal' | 'high' | 'urgent'
export type Task = Entity & {
  body: string
  status: TaskStatus
  priority: TaskPriority
  /** YYYY-MM-DD */
  due_on: string | null
  project_id: string | null
}

export type ProjectStatus = 'active' | 'on_hold' | 'done' | 'cancelled'
export type Project = Entity & { body: string; status: ProjectStatus }

export type Ref = Entity & {
  body: string
  url: string | null
  author: string | null
  published_on: string | null
}

export type Resource = Entity & { body: string; kind: string; url: string | null }

export type SourceDoc = Entity & {
  text: string
  mime: string
  metadata: Record<string, unknown>
  sha256: string
}

export type Space = Omit<Entity, 'space_id' | 'title'> & { slug: string; name: string; description: string }

/** A list; `next_cursor` asks for what follows. */
export type List<Item> = { items: Item[]; next_cursor: string | null }

/** The links that leave an entity, and what links to it. */
export type Links = {
  links: {
    name: string
    label: string | null
    heading: string | null
    embed: boolean
    to_type: string | null
    to_id: string | null
  }[]
  backlinks: { entity_type: string; entity_id: string; title: string }[]
}

/** A page whose text is shown within another, with its own links. */
export type EmbeddedPage = { id: string; title: string; body: string; links: Links['links'] }

/** A page's place in the tree. */
export type TreePage = {
  id: string
  title: string
  parent_id: string | null
  position: number
  has_children: boolean
}

/** A page that a title was looked for with, and the titles above it from the top. */
export type FoundPage = TreePage & { above: { id: string; title: string }[] }

/** Where a page stands: what is above it, from the top, and right below it. */
export type PagePlace = { above: { id: string; title: string }[]; below: TreePage[] }

/** What can be taken out of the trash of a Space, the latest first. */
export type Trash = {
  /** Days until it is gone for good. */
  days: number
  items: { entity_type: string; id: string; title: string; deleted_at: string; deleted_by: string }[]
}
