import { vi } from 'vitest';

/** Replaces parts of the window and of the objects that all its pages share. */
const shared: Record<string, object> = {
  window: globalThis,
  navigator,
  document,
  history,
  URL,
  'URL.prototype': URL.prototype,
  'EventTarget.prototype': EventTarget.prototype,
  'Element.prototype': Element.prototype,
  'HTMLElement.prototype': HTMLElement.prototype,
  'HTMLCanvasElement.prototype': HTMLCanvasElement.prototype,
  'HTMLMediaElement.prototype': HTMLMediaElement.prototype,
  'Storage.prototype': Storage.prototype,
};

type Properties = Map<PropertyKey, PropertyDescriptor>;
const undo: (() => void)[] = [];

/** Replaces a property of a shared object, even one it lacks, until the end of the test. */
export function replaceProperty(target: object, key: PropertyKey, value: unknown): void {
  const original = Object.getOwnPropertyDescriptor(target, key);
  Object.defineProperty(target, key, { configurable: true, writable: true, value });
  undo.push(() => {
    if (original === undefined) Reflect.deleteProperty(target, key);
    else Object.defineProperty(target, key, original);
  });
}

/** Undoes what `replaceProperty`, `vi.stubGlobal` and `vi.spyOn` have replaced. */
export function undoReplacements(): void {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const restore of undo.splice(0).reverse()) restore();
}

/**
 * Stores the state of the shared objects. The returned function restores and names the differences: all files of a worker share one window,
 * so leftovers of one would change the tests of another.
 */
export function watchShared(): () => string[] {
  const before = Object.entries(shared).map(([name, target]) => ({ name, target, properties: propertiesOf(target) }));
  return () =>
    before.flatMap(({ name, target, properties }) =>
      differences(properties, propertiesOf(target)).map((key) => {
        const original = properties.get(key);
        if (original === undefined) Reflect.deleteProperty(target, key);
        else Object.defineProperty(target, key, original);
        return `${name}.${String(key)}`;
      }),
    );
}

function propertiesOf(target: object): Properties {
  return new Map(Reflect.ownKeys(target).map((key) => [key, Object.getOwnPropertyDescriptor(target, key) ?? {}]));
}

function differences(before: Properties, now: Properties): PropertyKey[] {
  const keys = [...new Set([...before.keys(), ...now.keys()])].filter(isWatched);
  return keys.filter((key) => {
    const [old, current] = [before.get(key), now.get(key)];
    return !Object.is(old?.value, current?.value) || old?.get !== current?.get;
  });
}

/** What React and the testing libraries change and restore themselves. */
const theirs: PropertyKey[] = ['clipboard', 'IS_REACT_ACT_ENVIRONMENT'];

/** Libraries mark the window and the document by symbols and by names that begin with an underscore. */
function isWatched(key: PropertyKey): boolean {
  return typeof key !== 'symbol' && !String(key).startsWith('_') && !theirs.includes(key);
}
