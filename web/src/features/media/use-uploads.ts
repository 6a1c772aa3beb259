import { useEffect, useRef, useState } from 'react';
import { addPictures, setProfilePicture, uploadPicture } from '#contract/media/media.ts';
import type { OwnPicture } from '#contract/media/picture.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { errorTexts } from '../../api/error-texts.ts';
import { randomKey } from '../../api/random-key.ts';
import type { PicturesOnServer } from './use-pictures-on-server.ts';
import { useTurns } from './use-turns.ts';

/** A picture on its way to the profile, or one that did not get there. */
export interface Upload {
  key: string;
  file: File;
  /** What to show of it; null where nothing can be shown. */
  preview: string | null;
  /** Why it is not on its way, to be shown; null while it is. */
  error: string | null;
  mayRetry: boolean;
}

/** What no second try changes: another picture is needed. */
const finalCodes = [
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'PICTURE_UNREADABLE',
  'PICTURE_TOO_SMALL',
  'PICTURE_TOO_LARGE',
  'PICTURE_REFUSED',
];

async function claim(publicId: string, pictures: readonly OwnPicture[]): Promise<OwnPicture[]> {
  const imageData = { publicId };
  const hasProfilePicture = pictures.some(({ isProfilePicture }) => isProfilePicture);
  const { data } = hasProfilePicture
    ? await call(addPictures, { body: { imagesData: [imageData] } })
    : await call(setProfilePicture, { body: { imageData } });
  return data.pictures;
}

/** Pictures on their way: sent one after the other, put on the profile, and kept beside it with the reason when they are refused. */
export function useUploads({ pictures, latest, take, lookAgain, inTurn }: PicturesOnServer, onArrived: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const handles = useRef(new Map<string, string>());
  const previews = useRef(new Set<string>());
  const inLine = useTurns();

  useEffect(() => {
    const shown = previews.current;
    return () => shown.forEach((url) => URL.revokeObjectURL(url));
  }, []);

  const isUnderWay = uploads.some(({ error }) => error === null);
  useEffect(() => {
    if (!isUnderWay) return;
    const leaving = new AbortController();
    // The browser asks whether to leave all the same.
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal: leaving.signal });
    return () => leaving.abort();
  }, [isUnderWay]);

  const change = (key: string, changes: Partial<Upload>) =>
    setUploads((before) => before.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));

  function drop({ key, preview }: Upload) {
    if (preview !== null) URL.revokeObjectURL(preview);
    setUploads((before) => before.filter((upload) => upload.key !== key));
  }

  async function handleOf({ key, file }: Upload): Promise<string> {
    const known = handles.current.get(key);
    if (known !== undefined) return known;
    const { publicId } = (await call(uploadPicture, { file })).data;
    handles.current.set(key, publicId);
    return publicId;
  }

  async function put(upload: Upload) {
    const publicId = await handleOf(upload);
    await inTurn(async () => take(await claim(publicId, latest())));
  }

  async function send(upload: Upload) {
    try {
      await put(upload);
      drop(upload);
      onArrived();
    } catch (failure) {
      const error = failure instanceof ApiError ? failure : null;
      // Not claimed for a day, it is not there any more: the next try sends it anew.
      if (error?.status === 404) handles.current.delete(upload.key);
      change(upload.key, {
        error: error?.message ?? errorTexts.unknown,
        mayRetry: !finalCodes.includes(error?.code ?? ''),
      });
      // It may be on the profile all the same.
      if (error?.isUnanswered === true && handles.current.has(upload.key)) lookAgain();
    }
  }

  function add(file: File) {
    const preview = URL.createObjectURL(file);
    previews.current.add(preview);
    const upload = { key: randomKey(), file, preview, error: null, mayRetry: false };
    setUploads((before) => [...before, upload]);
    void inLine(() => send(upload));
  }

  function retry(upload: Upload) {
    change(upload.key, { error: null });
    void inLine(() => send(upload));
  }

  /** Shows a file that cannot be sent, and why. */
  function refuse(file: File, error: string) {
    setUploads((before) => [...before, { key: randomKey(), file, preview: null, error, mayRetry: false }]);
  }

  const arrived = pictures.map(({ publicId }) => publicId);
  const shown = uploads.filter(({ key }) => !arrived.includes(handles.current.get(key) ?? ''));
  return { uploads: shown, add, retry, drop, refuse };
}
