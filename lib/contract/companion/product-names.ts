/** Products whose conversations can be imported. */
export const productNames = { chatgpt: 'ChatGPT', claude: 'Claude' } as const
