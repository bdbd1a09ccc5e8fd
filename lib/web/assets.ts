// The browser's files: public/ bundled once, in memory, at the first request. Names carry a hash of the content, so
// a browser keeps them for good; each is compressed when it is first asked for.

import { readFile } from 'node:fs/promises'
import { basename, extname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild'
import type { RequestHandler } from 'express'
import { sha256 } from '../changes/payload.ts'
import { createServedFile, pickEncoding, type ServedFile } from './compression.ts'

type Manifest = {
  script: string
  /** The script of the page that asks for a passkey. */
  passkey: string
  style: string
  /** Styles that only some views need, by area. */
  areas: Readonly<Record<string, string>>
  icon: string
  /** Scripts that the page needs at once, besides `script`: for a module of public/, such as `views/home.ts`. */
  preload(module: string | null): string[]
}

export type Assets = {
  /** Bundles on the first call. Rejects when public/ does not compile. */
  manifest(): Promise<Manifest>
  /** Serves `/assets/:name`. */
  serve: RequestHandler<{ name: string }>
}

export const assetsPath = '/assets'

const root = fileURLToPath(new URL('../../', import.meta.url))
const entries = {
  script: 'public/main.ts',
  passkey: 'public/passkeys/sign-in.ts',
  style: 'public/styles/main.css',
}
const areas = ['settings', 'writing', 'lists', 'board', 'more', 'reading']
const areaEntry = (area: string) => `public/styles/areas/${area}.css`
const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

/** How public/ is bundled. */
export const bundleOptions = {
  absWorkingDir: root,
  entryPoints: [...Object.values(entries), ...areas.map(areaEntry)],
  // Every chunk imports what the first one holds, so that it is one file and not one for each way of sharing it.
  inject: ['public/common.ts'],
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
      const encoding = pickEncoding(req.headers['accept-encoding'])
      res.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream')
      res.setHeader('cache-control', 'public, max-age=31536000, immutable')
      res.setHeader('vary', 'accept-encoding')
      if (encoding !== 'identity') res.setHeader('content-encoding', encoding)
      res.end(await file.in(encoding))
    },
  }
}

async function makeBundle(): Promise<Bundle> {
  const result = await build(bundleOptions)
  const icon = await readFile(`${root}public/icon.svg`)
  const iconName = `icon-${sha256(icon.toString()).slice(0, 8)}.svg`
  const files = new Map(result.outputFiles.map(toFile))
  files.set(iconName, createServedFile(icon))
  return { files, manifest: makeManifest(result.metafile, iconName) }
}

const toFile = ({ path, contents }: OutputFile): [string, ServedFile] => [
  basename(path),
  createServedFile(contents),
]

function makeManifest({ outputs }: Metafile, icon: string): Manifest {
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
    icon: `${assetsPath}/${icon}`,
    preload(module) {
      const starts = [entries.script, ...(module ? [`public/${module}`] : [])].map(pathOf)
      const needed = new Set(starts)
      for (const path of needed) {
        for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
          if (kind === 'import-statement') needed.add(imported)
        }
      }
      needed.delete(pathOf(entries.script))
      return [...needed].map(urlOf)
    },
  }
}
