import { el, type Props, svg } from '../dom.ts'

// One set, drawn on a grid of 16 with a line of 1.5: each icon is the path of its strokes.
const paths = {
  activity: 'M1.5 8.5h3l2-6 3.5 11 2-5h2.5',
  archive: 'M2 3h12v3H2zM3 6v7h10V6M6.5 9h3',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowRight: 'M3 8h10M9 4l4 4-4 4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  bell: 'M4.25 11.25V7a3.75 3.75 0 0 1 7.5 0v4.250l1.25 1.250H3zM6.75 14.250h2.500',
  board: 'M2 2.5h3.5v11H2zM6.5 2.5H10v7H6.5zM11 2.5h3v9h-3z',
  book: 'M3 2.5h8.5a1.5 1.5 0 0 1 1.5 1.5v9.5H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5H13',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  chevronDown: 'M4 6l4 4 4-4',
  chevronRight: 'M6 4l4 4-4 4',
  clock: 'M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5zM8 4.5V8l2.5 1.5',
  close: 'M4 4l8 8M12 4l-8 8',
  companion:
    'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 9.250a1.250 1.250 0 1 0 0-2.500 1.250 1.250 0 0 0 0 2.500z',
  compose:
    'M7.5 3H4.250a1.500 1.500 0 0 0-1.500 1.500v7.250a1.500 1.500 0 0 0 1.500 1.500h7.250a1.500 1.500 0 0 0 1.500-1.500V8.500M6.500 9.500l.4-1.900 5-5a1.050 1.050 0 0 1 1.500 1.500l-5 5z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  document: 'M4 1.75h5l3.5 3.5v9H4zM9 1.75v3.5h3.5M6.5 8.5h3.5M6.5 11h3.5',
  download: 'M8 2.5v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  edit: 'M10.5 2.75l2.75 2.75L5.5 13.25l-3.25.5.5-3.25zM9 4.25L11.75 7',
  external: 'M6.5 3.5h-3v9h9v-3M9 2.5h4.5V7M13.5 2.5l-6 6',
  filter: 'M2 3.5h12M4.5 8h7M6.5 12.5h3',
  folder: 'M1.75 3.5h4.5l1.5 2h6.5v7.5H1.75z',
  graph:
    'M3.5 5.5a1.75 1.75 0 1 0 0-3.5a1.75 1.75 0 0 0 0 3.5zM12 9.500a1.75 1.75 0 1 0 0-3.500a1.75 1.75 0 0 0 0 3.500zM5 14a1.75 1.75 0 1 0 0-3.500a1.75 1.75 0 0 0 0 3.500zM5.100 4.500l5.300 2.500M10.600 8.900l-4.300 2.500M3.800 5.500l.8 5',
  grid: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  home: 'M2 7.5L8 2.5l6 5M3.5 6.5v7h9v-7M6.5 13.5v-4h3v4',
  inbox: 'M1.75 9h3.5l1 2h3.5l1-2h3.5M1.75 9l2-6h8.5l2 6v4.5H1.75z',
  key: 'M10.5 9a3.25 3.25 0 1 0-3-2L2 12.5V14h3v-1.5h1.5V11H8l1-1.25M11 5.25h.01',
  library: 'M3.25 2.750v10.500M6.500 2.750v10.500M9.500 3.100l3.250 9.900',
  link: 'M6.5 9.5l3-3M7 4.5l1.25-1.25a3 3 0 0 1 4.25 4.25L11.25 8.75M9 11.5l-1.25 1.25A3 3 0 0 1 3.5 8.5l1.25-1.25',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  mail: 'M2 4h12v8H2zM2 4l6 5 6-5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  page: 'M4 1.75h8v12.5H4zM6.25 5h3.5M6.25 7.75h3.5M6.25 10.5h2',
  plus: 'M8 3v10M3 8h10',
  project: 'M8 1.75l6 3.25-6 3.25L2 5zM2 8l6 3.25L14 8M2 11l6 3.25L14 11',
  refresh: 'M13.5 8A5.5 5.5 0 1 1 12 4.200M13.5 1.75V5h-3.25',
  resource: 'M8 1.75l5.5 3v6.5L8 14.25l-5.5-3v-6.5zM2.5 4.75L8 8l5.5-3.25M8 8v6.25',
  restore: 'M2.5 8A5.5 5.5 0 1 0 4 4.200M2.5 1.75V5h3.25',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.5 10.5L14 14',
  send: 'M8 13.5v-11M3.5 7L8 2.5 12.5 7',
  settings:
    'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 6.25a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM5.5 13.25a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z',
  sidebar: 'M1.75 2.75h12.5v10.5H1.75zM10 2.75v10.5',
  space: 'M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  split: 'M2.25 3h11.500v10H2.250zM8 3v10',
  star: 'M8 2l1.85 3.8 4.15.6-3 2.95.7 4.15L8 11.55 4.300 13.5 5 9.350 2 6.400l4.150-.6z',
  stop: 'M4.5 4.5h7v7h-7z',
  task: 'M2.5 2.5h11v11h-11zM5 8l2.25 2.25L11 6',
  today:
    'M2.750 5a1.500 1.500 0 0 1 1.500-1.500h7.500a1.500 1.500 0 0 1 1.500 1.500v6.750a1.500 1.500 0 0 1-1.500 1.500h-7.500a1.500 1.500 0 0 1-1.500-1.500zM2.750 6.500h10.500M5.500 2v2.500M10.500 2v2.500',
  trash: 'M2.5 4h11M6 4V2.25h4V4M4 4l.5 10h7L12 4M6.75 6.5v5M9.25 6.5v5',
  undo: 'M3 6.5h7a3.5 3.5 0 0 1 0 7H6M3 6.5l3-3M3 6.5l3 3',
  upload: 'M8 10.5v-8M4.5 6L8 2.5 11.5 6M2.5 13.5h11',
  warning: 'M8 2l6.5 11.5h-13zM8 6.5v3.25M8 11.75h.01',
} as const

export type IconName = keyof typeof paths

/** Decoration only: the element around it has a text label. */
export const icon = (name: IconName): SVGSVGElement => drawIcon(paths[name])

/** One of a view's own, which is not in the set that every page loads. */
export function drawIcon(path: string): SVGSVGElement {
  return svg(
    'svg',
    { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: path }),
  )
}

/** The icon of a kind of entity. */
export function kindIcon(type: string): SVGSVGElement {
  const names: Record<string, IconName> = {
    page: 'page',
    task: 'task',
    project: 'project',
    ref: 'link',
    resource: 'resource',
    source_doc: 'document',
    space: 'space',
    conversation: 'companion',
  }
  return icon(names[type] ?? 'document')
}

/** A button with an icon only: the label is its tooltip and its accessible name. */
export const iconButton = (
  label: string,
  name: IconName,
  onclick: (event: Event) => void,
  props: Props = {},
): HTMLButtonElement =>
  el(
    'button',
    { class: 'icon-button', type: 'button', title: label, 'aria-label': label, onclick, ...props },
    icon(name),
  )
