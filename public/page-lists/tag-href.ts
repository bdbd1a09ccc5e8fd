import { withQuery } from '../api/api.ts'
import { spaceHref } from '../entities/addresses.ts'

/** Where the pages of a tag are listed. */
export const tagHref = (slug: string, tag: string): string =>
  withQuery(`${spaceHref(slug)}/pages`, { view: 'table', tag })
