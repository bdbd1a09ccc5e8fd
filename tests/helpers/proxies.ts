// Caddy and nginx on the loopback, with the files of deploy/ as they are but for a few lines: addresses, certificates, logs.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenOver } from './when-over.ts'

/** Why tests of a proxy are left out, as a part of their names; '' where the program is there. */
export const missing = {
  caddy: spawnSync('caddy', ['version']).status === 0 ? '' : ' (left out: apt-get install caddy)',
  nginx: existsSync('/usr/sbin/nginx') ? '' : ' (left out: apt-get install nginx-light)',
}

export type Change = readonly [from: string | RegExp, to: string]

/** A file of deploy/ with changes, each of which has to apply. */
export function deployed(file: string, changes: readonly Change[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      const changed = text.replaceAll(from, to)
      if (changed === text) throw new Error(`deploy/${file} has no ${from}`)
      return changed
    },
    readFileSync(`deploy/${file}`, 'utf8'),
  )
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'void-proxy-'))
  whenOver(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type Certificate = { cert: string; key: string; text: string }

/** A certificate that signs itself, for a name. */
export function makeCertificate(name: string): Certificate {
  const folder = newFolder()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
      .concat(['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`])
      .concat(['-keyout', key, '-out', cert]),
    { stdio: 'ignore' },
  )
  return { cert, key, text: readFileSync(cert, 'utf8') }
}

/** Runs Caddy until the test is over. Resolves when it listens on the port. */
export async function startCaddy(config: string, port: number): Promise<void> {
  const folder = newFolder()
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${config}`)
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const args = ['run', '--config', file, '--adapter', 'caddyfile']
  await untilListening(spawn('caddy', args, { env, stdio: ['ignore', 'ignore', 'pipe'] }), port)
}

/** Runs nginx with one site until the test is over. Resolves when it listens on the port. */
export async function startNginx(site: string, port: number): Promise<void> {
  const folder = newFolder()
  writeFileSync(join(folder, 'site.conf'), site)
  const spool = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const main = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off;',
    `pid ${folder}/nginx.pid;`,
    'error_log stderr;',
    'events {}',
    'http {',
    '  include /etc/nginx/mime.types;',
    ...spool.map((name) => `  ${name}_temp_path ${folder}/${name};`),
    `  include ${folder}/site.conf;`,
    '}',
  ]
  writeFileSync(join(folder, 'nginx.conf'), main.join('\n'))
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf')]
  await untilListening(spawn('/usr/sbin/nginx', args, { stdio: ['ignore', 'ignore', 'pipe'] }), port)
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said = (said + chunk).slice(-4000)
  })
  const gone = once(child, 'exit')
  whenOver(async () => {
    child.kill('SIGTERM')
    await gone
  })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  return isOpen
}
