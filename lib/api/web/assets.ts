// The browser's files: public/ bundled once, in memory, at the first request. Names carry a hash of the content, so
// a browser keeps them for good; each is compressed when it is first asked for.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname, parse, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type OutputFile, stop } from 'esbuild'
import type { RequestHandler } from 'express'
import { createServedFile, type ServedFile, sendServedFile } from './compression.ts'

type Manifest = {
  script: string
  /** The script of the page that asks for a passkey. */
  passkey: string
  style: string
  /** Styles that only some views need, by area. */
  areas: Readonly<Record<string, string>>
  icon: string
  /** Icons of the installed app, by their file in public/ui/icons. */
  icons: Readonly<Record<string, string>>
  /** The script of the page for writing a note, and what it needs at once. */
  capture: { script: string; preload: string[] }
  /** Scripts that the page needs at once, besides `script`: for a module of public/, such as `page/page.ts`. */
  preload(module: string | null): string[]
}

export type Assets = {
  /** Bundles on the first call. Rejects when public/ does not compile. */
  manifest(): Promise<Manifest>
  /** Serves `/assets/:name`. */
  serve: RequestHandler<{ name: string }>
}

export const assetsPath = '/assets'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const entries = {
  script: 'public/start/main.ts',
  passkey: 'public/settings/passkeys/sign-in.ts',
  capture: 'public/features/capture/capture.ts',
  style: 'public/ui/styles/main.css',
}
const areas = ['settings', 'writing', 'lists', 'board', 'more', 'reading', 'inbox', 'drawings', 'activity']
const areaEntry = (area: string) => `public/ui/styles/areas/${area}.css`
const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
}

/** How public/ is bundled. */
export const bundleOptions = {
  absWorkingDir: root,
  entryPoints: [...Object.values(entries), ...areas.map(areaEntry)],
  // Every chunk imports what the first one holds, so that it is one file and not one for each way of sharing it.
  inject: ['public/start/common.ts'],
  outdir: 'assets',
  outbase: 'public',
  entryNames: '[name]-[hash]',
  // Without names, which every import would repeat: source maps have them.
  chunkNames: '[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  minify: true,
  sourcemap: true,
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions

type Bundle = { manifest: Manifest; files: Map<string, ServedFile> }

export function createAssets(): Assets {
  let bundled: Promise<Bundle> | null = null
  // A failed build is tried again: somebody is at work on public/.
  const bundle = () => {
    bundled ??= makeBundle().catch((error: unknown) => {
      bundled = null
      throw error
    })
    return bundled
  }

  return {
    manifest: async () => (await bundle()).manifest,

    async serve(req, res, next) {
      const { name } = req.params
      const file = (await bundle()).files.get(name)
      if (!file) return next()
      await sendServedFile(req, res, { file, type: types[extname(name)] ?? 'application/octet-stream' })
    },
  }
}

/** Ends the process that esbuild keeps for a next build, of 260 MB. Two builds at once would end each other's. */
export async function buildOnce<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } finally {
    await stop()
  }
}

async function makeBundle(): Promise<Bundle> {
  const result = await buildOnce(() => build(bundleOptions))
  const files = new Map(result.outputFiles.map(toFile))
  const icon = await addIcon(files, 'public/ui/icons/icon.svg')
  const pngs = iconFiles.map(async (name) => [name, await addIcon(files, `public/ui/icons/${name}`)] as const)
  const icons = { icon, icons: Object.fromEntries(await Promise.all(pngs)) }
  return { files, manifest: makeManifest(result.metafile, icons) }
}

const iconFiles = ['icon-192.png', 'icon-512.png', 'icon-maskable-512.png']

/** Serves an icon under a name with its hash; returns its address. */
async function addIcon(files: Map<string, ServedFile>, path: string): Promise<string> {
  const bytes = await readFile(root + path)
  const { name, ext } = parse(path)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const served = `${name}-${hash}${ext}`
  files.set(served, createServedFile(bytes))
  return `${assetsPath}/${served}`
}

const toFile = ({ path, contents }: OutputFile): [string, ServedFile] => [
  basename(path),
  createServedFile(contents),
]

function makeManifest({ outputs }: Metafile, icons: Pick<Manifest, 'icon' | 'icons'>): Manifest {
  const byEntry = new Map(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint ? [[entryPoint, path] as const] : [],
    ),
  )
  const pathOf = (entry: string) => {
    const path = byEntry.get(entry)
    if (!path) throw new Error(`${entry} is not in the bundle`)
    return path
  }
  const urlOf = (path: string) => `${assetsPath}/${relative('assets', path)}`

  return {
    script: urlOf(pathOf(entries.script)),
    passkey: urlOf(pathOf(entries.passkey)),
    style: urlOf(pathOf(entries.style)),
    areas: Object.fromEntries(areas.map((area) => [area, urlOf(pathOf(areaEntry(area)))])),
    ...icons,
    capture: { script: urlOf(pathOf(entries.capture)), preload: neededBy([entries.capture]) },
    preload: (module) => neededBy([entries.script, ...(module ? [`public/${module}`] : [])]),
  }

  /** What these entries import at once, and they themselves but for the first. */
  function neededBy(names: readonly string[]): string[] {
    const starts = names.map(pathOf)
    const needed = new Set(starts)
    for (const path of needed) {
      for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
        if (kind === 'import-statement') needed.add(imported)
      }
    }
    needed.delete(starts[0]!)
    return [...needed].map(urlOf)
  }
}
