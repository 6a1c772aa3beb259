/** Texts by key in one of the browser's two storages. */
export interface BrowserStorage {
  read: (key: string) => string | null;
  /** Stores a text and returns true; false if the browser can't, and it lasts only as long as this page. */
  write: (key: string, text: string) => boolean;
  remove: (key: string) => void;
  keys: () => string[];
}

/** A storage that may be full, forbidden or absent; values it does not accept are held in memory. */
function storageOf(name: 'localStorage' | 'sessionStorage'): BrowserStorage & { unstored: Map<string, string> } {
  const unstored = new Map<string, string>();
  // Where cookies are blocked, even reading the property throws.
  const attempt = <T>(work: (storage: Storage) => T, otherwise: T): T => {
    try {
      return work(window[name]);
    } catch {
      return otherwise;
    }
  };
  const remove = (key: string) => {
    unstored.delete(key);
    attempt((storage) => storage.removeItem(key), undefined);
  };
  return {
    unstored,
    read: (key) => unstored.get(key) ?? attempt((storage) => storage.getItem(key), null),
    write(key, text) {
      const isStored = attempt((storage) => (storage.setItem(key, text), true), false);
      // The previously stored value would be wrong after a reload.
      if (isStored) unstored.delete(key);
      else {
        remove(key);
        unstored.set(key, text);
      }
      return isStored;
    },
    remove,
    keys: () => [...new Set([...attempt((storage) => Object.keys(storage), []), ...unstored.keys()])],
  };
}

const local = storageOf('localStorage');
const session = storageOf('sessionStorage');

/** Values that stay on this device, for all tabs. */
export const deviceStorage: BrowserStorage = local;
/** Values that stay until this tab is closed. */
export const tabStorage: BrowserStorage = session;

// Another tab has stored something newer.
window.addEventListener('storage', ({ key }) => {
  if (key === null) local.unstored.clear();
  else local.unstored.delete(key);
});

/** The browser's caches; undefined without a secure connection, or if they are forbidden. */
function cachesHere(): CacheStorage | undefined {
  try {
    return window.caches;
  } catch {
    return undefined;
  }
}

/** Opens a cache for files; null if the browser has none or refuses. */
export async function openCache(name: string): Promise<Cache | null> {
  const caches = cachesHere();
  return caches === undefined ? null : await caches.open(name).catch(() => null);
}

/** Deletes the caches whose names fit. */
export async function deleteCaches(fits: (name: string) => boolean): Promise<void> {
  const caches = cachesHere();
  if (caches === undefined) return;
  const names = await caches.keys().catch(() => []);
  await Promise.all(names.filter(fits).map((name) => caches.delete(name)));
}
