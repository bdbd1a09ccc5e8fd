// What connects common programs, in the form that each one's documentation gives:
// https://code.claude.com/docs/en/mcp · https://support.claude.com/en/articles/11503834 ·
// https://platform.openai.com/docs/guides/developer-mode · https://cursor.com/docs/mcp/install-links ·
// https://code.visualstudio.com/docs/copilot/guides/mcp-developer-guide · https://zed.dev/docs/ai/mcp

export type Setup = {
  id: string
  /** The program, and the file that the text belongs into. */
  label: string
  /** To be copied: a command, a file's text, or the address. */
  value: string
  /** Opens the program, which asks whether to add the server. */
  link?: { href: string; text: string }
  note?: string
}

const needsPublic = 'It connects from its vendor’s servers, so Void needs a public https address.'

/** Without a token: the program asks in the browser, by OAuth. */
export function connectSetups(server: string): Setup[] {
  const url = `${server}/mcp`
  return [
    {
      id: 'claude-code',
      label: 'Claude Code',
      value: `claude mcp add --transport http void ${url}`,
      note: 'Then enter /mcp in a session and choose void.',
    },
    {
      id: 'claude-desktop',
      label: 'Claude Desktop and claude.ai',
      value: url,
      note: `Settings → Connectors → Add custom connector. ${needsPublic}`,
    },
    {
      id: 'chatgpt',
      label: 'ChatGPT',
      value: url,
      note: `Settings → Connectors → Advanced → Developer mode, then create a connector. ${needsPublic}`,
    },
    ...editors(url, {}),
  ]
}

/** With a token, for programs on this machine or without a browser. ChatGPT takes none. */
export function tokenSetups(server: string, token: string): Setup[] {
  const url = `${server}/mcp`
  const header = `Authorization: Bearer ${token}`
  const bridge = {
    command: 'npm',
    args: ['--prefix', '/path/to/void', 'run', '--silent', 'mcp'],
    env: { VOID_URL: server, VOID_TOKEN: token },
  }
  return [
    {
      id: 'claude-code',
      label: 'Claude Code',
      value: `claude mcp add --transport http void ${url} --header "${header}"`,
    },
    {
      id: 'claude-desktop',
      label: 'Claude Desktop (claude_desktop_config.json)',
      value: JSON.stringify({ mcpServers: { void: bridge } }),
      note: 'Replace /path/to/void with the folder that holds Void.',
    },
    ...editors(url, { headers: { Authorization: `Bearer ${token}` } }),
  ]
}

type Credentials = { headers?: Record<string, string> }

function editors(url: string, credentials: Credentials): Setup[] {
  const server = { url, ...credentials }
  const typed = { type: 'http', ...server }
  const installed = encodeURIComponent(btoa(JSON.stringify(server)))
  return [
    {
      id: 'cursor',
      label: 'Cursor and others (mcp.json)',
      value: JSON.stringify({ mcpServers: { void: typed } }),
      link: {
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=void&config=${installed}`,
        text: 'Add to Cursor',
      },
    },
    {
      id: 'vscode',
      label: 'VS Code (.vscode/mcp.json)',
      value: JSON.stringify({ servers: { void: typed } }),
      link: {
        href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'void', ...typed }))}`,
        text: 'Add to VS Code',
      },
    },
    {
      id: 'zed',
      label: 'Zed (settings.json)',
      value: JSON.stringify({ context_servers: { void: server } }),
    },
  ]
}

/** Whether programs can be connected by OAuth here: over https, or on the same machine. */
export function canConnect(server: string): boolean {
  const { protocol, hostname } = new URL(server)
  return protocol === 'https:' || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}
