import { drawIcon, type IconName, icon } from '../../ui/components/icon.ts'

// On the same grid as those that every page has.
const paths = {
  agents:
    'M5.5 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 1.8-4 4-4s4 1.5 4 4M11 7.5a2 2 0 1 0 0-4M11.5 9.75c1.8.3 3 1.65 3 3.75',
  back: 'M13 8H3M7 4L3 8l4 4',
  bookmark: 'M4 2h8v12l-4-3-4 3z',
  device: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  fingerprint:
    'M3.5 6a5 5 0 0 1 9 0M5.25 13.5C4.5 12 4.5 10.5 4.75 8.5a3.25 3.25 0 0 1 6.5 0c.1 1.5 0 3-.5 4.5M8 8.5c.1 2-.1 3.75-.75 5.5',
  folder: 'M1.75 4.5v8h12.5V5.75H8L6.25 3.5h-4.5z',
  glance:
    'M1.5 8c1.6-2.8 3.8-4.25 6.5-4.25S12.9 5.2 14.5 8c-1.6 2.8-3.8 4.25-6.5 4.25S3.1 10.8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  info: 'M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5zM8 7.25V11M8 5h.01',
  keyboard: 'M2 4h12v8H2zM4.500 6.500h.01M7 6.500h.01M9.500 6.500h.01M12 6.500h.01M5 9.500h6',
  model:
    'M4.5 4.5h7v7h-7zM6.5 4.5V2M9.5 4.5V2M6.5 14v-2.5M9.5 14v-2.5M4.5 6.5H2M4.5 9.5H2M14 6.5h-2.5M14 9.5h-2.5',
  plug: 'M5.5 2v3.5M10.5 2v3.5M3.5 5.5h9v2a4.5 4.5 0 0 1-9 0zM8 12v2.5',
  shade: 'M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5zM8 1.75v12.5M10.5 3v10M12.5 4.5v7',
  trust: 'M8 1.75 13.5 4v4c0 3.25-2.25 5.25-5.5 6.25C4.75 13.25 2.5 11.25 2.5 8V4zM5.75 8l1.5 1.5 3-3',
} as const

/** An icon that every page has, or one of the settings. */
export type SectionIconName = IconName | keyof typeof paths

export const sectionIcon = (name: SectionIconName): SVGSVGElement =>
  isOwn(name) ? drawIcon(paths[name]) : icon(name)

const isOwn = (name: SectionIconName): name is keyof typeof paths => name in paths
