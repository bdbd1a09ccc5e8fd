/** What an editor writes of a page. `body`: Markdown with its front matter. */
export type PageText = { title: string; body: string }
