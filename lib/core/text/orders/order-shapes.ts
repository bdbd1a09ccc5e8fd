// What only prompts and calls of tools hold, by their shape.

/** Letters that no reader sees, in which a whole text can be written; the flags of three countries are spelled so, too. */
const tags = /[\u{E0000}-\u{E007F}]/u
const flags =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu

const shapes: readonly RegExp[] = [
  // Marks by which chat templates part who speaks.
  /\[\/?(?:inst|system|assistant|system_prompt)\]|<\|[a-z0-9_ ]{1,30}\|>|<\|?\/?(?:start|end)_of_turn\|?>|<<\/?sys>>|\[\/?sys\]/,
  /<\/?(?:system(?:[-_](?:prompt|reminder|message|note))?|assistant|instructions?|function[-_](?:calls?|results?)|tool[-_](?:use|calls?|results?)|invoke|antml)\b[^>\n]{0,80}>|<\/(?:tool|important|prompt|policy|user|untrusted|search_result)>/,
  /(?:^|\n) {0,3}#{1,6} ?(?:system|assistant|instructions?)(?: prompt| message)? ?(?::|\n|$)/,
  /(?:^|\n)\W{0,6}system (?:message|prompt|note|notice|override|instructions?)\b/,
  /(?:^|\n)\W{0,4}(?:human|user):[^\n]{0,400}\n{1,3}\W{0,4}assistant:/,
  // Calls of tools, in JSON in whatever order, and written out.
  /"(?:tool_use|tool_result|tool_calls?|function_call)"/,
  /"(?:tool|tool_name|name|function|function_name)"\s{0,5}:\s{0,5}"[\w.-]{1,60}"\s{0,5},\s{0,5}"(?:input|arguments|args|parameters|params)"\s{0,5}:\s{0,5}(?:\{|"\\?\{)/,
  /"(?:input|arguments|args|parameters|params)"\s{0,5}:\s{0,5}\{[^{}]{0,300}\}\s{0,5},\s{0,5}"(?:tool|tool_name|name|function|function_name)"\s{0,5}:\s{0,5}"[\w.-]{1,60}"/,
  /"role"\s{0,5}:\s{0,5}"(?:system|assistant|developer|tool)"\s{0,5},\s{0,5}"content"/,
  /(?<![\p{L}\p{N}_.$])(?:[a-z]{2,20}_[a-z_]{2,40}|search|read|open|highlight|context|list)\s{0,3}\(\s{0,5}\{/u,
  /(?<![\p{L}\p{N}_.$])[a-z]{2,30}\(\s{0,5}\{\s{0,5}"[a-z_]{1,30}"\s{0,5}:/u,
  // Names of this app's own tools and of what they take.
  /(?<![\p{L}\p{N}])(?:finalize_glance\w{0,20}|propose_change|revise_change|withdraw_change|search_email|read_email_thread|find_tool|call_tool)(?![\p{L}\p{N}])/u,
]

/** `plain`: the text as `plainWords` gives it. */
export function holdsOrderShape(text: string, plain: string): boolean {
  return tags.test(text.replace(flags, '')) || shapes.some((shape) => shape.test(plain))
}
