import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { messagePicturesMax } from '#contract/constants.ts';
import { randomKey } from '../../../api/request.ts';
import { type DrawnPicture, redrawn, whyUnusable } from '../../../ui/pictures/drawing.ts';

/** A chosen photo: being resized, ready, or unusable. */
export interface Prepared {
  key: string;
  name: string;
  ready: DrawnPicture | null;
  /** The address of its preview; null until it is ready. */
  preview: string | null;
  /** Why it can't be sent, as a message to show. */
  error: string | null;
}

/** Resizes chosen photos, one after the other because each takes much memory, and leaves out those beyond the limit. */
export function usePrepared(files: readonly File[]) {
  const [photos, setPhotos] = useState<readonly Prepared[]>([]);
  const [leftOut, setLeftOut] = useState(0);
  const queue = useRef(Promise.resolve());
  const previews = useRef(new Set<string>());

  async function prepare(key: string, file: File): Promise<void> {
    let changes: Partial<Prepared>;
    try {
      const ready = await redrawn(file);
      const preview = URL.createObjectURL(ready.file);
      previews.current.add(preview);
      changes = { ready, preview };
    } catch (error) {
      changes = { error: await whyUnusable(file, error) };
    }
    setPhotos((before) => before.map((photo) => (photo.key === key ? { ...photo, ...changes } : photo)));
  }

  function add(more: readonly File[]) {
    const taken = more.slice(0, Math.max(0, messagePicturesMax - photos.length));
    setLeftOut(more.length - taken.length);
    const added = taken.map((file) => ({ key: randomKey(), file }));
    setPhotos((before) => [
      ...before,
      ...added.map(({ key, file }) => ({ key, name: file.name, ready: null, preview: null, error: null })),
    ]);
    for (const { key, file } of added) queue.current = queue.current.then(() => prepare(key, file));
  }

  const start = useEffectEvent(() => add(files));
  useEffect(() => {
    start();
    const shown = previews.current;
    return () => shown.forEach((url) => URL.revokeObjectURL(url));
  }, []);

  const remove = (key: string) => {
    setLeftOut(0);
    setPhotos((before) => before.filter((photo) => photo.key !== key));
  };
  return { photos, leftOut, add, remove };
}
