import type { Rolldown } from 'vite';

const chunksOf = (bundle: Rolldown.OutputBundle) => Object.values(bundle).filter((output) => output.type === 'chunk');

/** The chunk that the page itself names. */
export function entryOf(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk {
  const entry = chunksOf(bundle).find((chunk) => chunk.isEntry);
  if (!entry) throw new Error('The build has no entry');
  return entry;
}

/** Every file that these modules' chunks bring beyond what the page itself names. */
export function filesOf(modules: readonly string[], bundle: Rolldown.OutputBundle): string[] {
  const chunks = chunksOf(bundle);
  const seen = new Set<Rolldown.OutputChunk>();
  function add(chunk: Rolldown.OutputChunk | undefined) {
    if (!chunk || seen.has(chunk)) return;
    seen.add(chunk);
    for (const file of chunk.imports) add(chunks.find((other) => other.fileName === file));
  }
  const files = () => [...seen].flatMap((chunk) => [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]);
  add(entryOf(bundle));
  const named = new Set(files());
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
    if (!chunk) throw new Error(`The build has no ${module}`);
    add(chunk);
  }
  return files().filter((file) => !named.has(file));
}
