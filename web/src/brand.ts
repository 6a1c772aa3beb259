import { useSyncExternalStore } from 'react';
import { minimumAgeYears, productName } from '#contract/constants.ts';
import { setUsualLanguage } from '#contract/languages.ts';
import type { Lists } from '#contract/service/lists.ts';
import type { Parts, PartName } from '#contract/service/parts.ts';
import type { ShownBrand } from '#contract/system.ts';

/** The brand, which parts of the service are on (unnamed ones are), and the owner's lists of interests and prompts. */
type Shown = ShownBrand & { parts?: Partial<Parts>; lists?: Lists };

const usual: Shown = { name: productName, colours: null, logo: null, icon: null, legalEntity: null };

/** The brand in the document from the server, so that the first paint shows it; the product's own if the document has none. */
function brandOfDocument(): Shown {
  try {
    const text = document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content ?? '';
    return { ...usual, ...(JSON.parse(text) as Partial<ShownBrand>) };
  } catch {
    return usual;
  }
}

let brand = brandOfDocument();
setUsualLanguage(brand.language);
const listeners = new Set<() => void>();

/** The current brand, for texts. Components that show more than its name use `useBrand`. */
export const presentBrand = (): Shown => brand;

/** The age that new members must have. */
export const minimumAge = (): number => brand.minimumAge ?? minimumAgeYears;

/** Calls `listener` when the brand has changed. Returns a function that stops it. */
export function onBrand(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a brand everywhere from now on: texts, colours, pictures and the icon of the tab, and the parts that are on. */
export function showBrand(next: Shown): void {
  if (JSON.stringify(next) === JSON.stringify(brand)) return;
  brand = next;
  setUsualLanguage(next.language);
  styleBrand(document.documentElement, next).catch(() => undefined);
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"], link[rel="apple-touch-icon"]')) {
    link.removeAttribute('type');
    link.href = next.icon ?? (link.rel === 'icon' ? '/favicon.svg' : '/icons/apple-touch-icon.png');
  }
  for (const listener of listeners) listener();
}

/** Gives the document the colours of a brand, in the style sheet that came with it. */
async function styleBrand(root: HTMLElement, { colours: shown }: ShownBrand): Promise<void> {
  const tokens = shown === null ? '' : (await import('#contract/service/colours.ts')).tokensOf(shown);
  const style =
    root.querySelector('style#brand') ?? root.ownerDocument.head.appendChild(document.createElement('style'));
  style.id = 'brand';
  style.textContent = tokens;
}

/** The brand; renders again when it changes. */
export const useBrand = (): Shown => useSyncExternalStore(onBrand, presentBrand);

/** Whether the owner has switched a part of the service on. No link or text may refer to a part that is off. Renders again when that changes. */
export const usePart = (part: PartName): boolean => useBrand().parts?.[part] ?? true;
