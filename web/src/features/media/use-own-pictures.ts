import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { morePicturesMax } from '#contract/constants.ts';
import {
  addPictures,
  deletePicture,
  orderPictures,
  setProfilePicture,
  uploadPicture,
  type OwnPicture,
} from '#contract/media.ts';
import { ApiError, errorCode, errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { randomKey } from '../../api/request.ts';

/** Commands that change the pictures run one after the other, so that the last answer is always the newest. */
const scope = { id: 'own-pictures' };

interface PicturesOnServer {
  pictures: readonly OwnPicture[];
  /** The pictures from the last answer, even before they are rendered. */
  latest: () => readonly OwnPicture[];
  /** Stores the pictures from the answer to a command. */
  keep: (pictures: OwnPicture[]) => void;
  /** Fetches the pictures again when their state is unknown. */
  refetch: () => void;
}

/** The member's pictures as they are on the server, shared by everything on the screen that changes them. */
export function usePicturesOnServer(
  pictures: readonly OwnPicture[],
  onPictures: (pictures: OwnPicture[]) => void,
  refetch: () => void,
): PicturesOnServer {
  const newest = useRef(pictures);

  useLayoutEffect(() => {
    newest.current = pictures;
  }, [pictures]);

  function keep(answered: OwnPicture[]) {
    newest.current = answered;
    onPictures(answered);
  }

  return { pictures, latest: () => newest.current, keep, refetch };
}

const idsOf = (pictures: readonly OwnPicture[]) => pictures.filter(isOnProfile).map(({ publicId }) => publicId);

/** The order of the pictures. A change is shown at once, sent after earlier commands, and undone if sending fails. */
export function useArranging({ pictures, latest, keep, refetch }: PicturesOnServer) {
  const [wanted, setWanted] = useState<readonly string[] | null>(null);
  const newest = useRef(wanted);

  function want(order: readonly string[] | null) {
    newest.current = order;
    setWanted(order);
  }

  const sending = useMutation({
    scope,
    mutationFn: async (order: readonly string[]) => {
      // A newer order is waiting, so this one does not have to be sent.
      if (newest.current !== order) return;
      const publicIds = idsOf(sorted(latest(), order));
      keep((await call(orderPictures, { body: { publicIds } })).data.pictures);
    },
    onError: refetch,
    onSettled: (_data, _error, order) => {
      if (newest.current === order) want(null);
    },
  });

  /** Moves one picture to position `to` among those that are shown. */
  function move(shown: readonly OwnPicture[], id: string, to: number) {
    const order = withMoved(idsOf(sorted(pictures, newest.current ?? idsOf(pictures))), idsOf(shown), id, to);
    want(order);
    sending.mutate(order);
  }

  const arranged = wanted === null ? pictures : sorted(pictures, wanted);
  return { arranged, error: errorMessage(sending.error), move, dismiss: sending.reset };
}

/** A picture that no longer exists counts as deleted. */
const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/**
 * Deletes pictures with Undo: a picture is hidden at once, deleted on the server when Undo ends or the page is left,
 * and shown again if that fails.
 */
export function useDeleting({ latest, keep }: PicturesOnServer) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [undoable, setUndoable] = useState<string | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const waiting = useRef<string | null>(null);
  const due = useRef(new Set<string>());

  function offerUndo(id: string | null) {
    waiting.current = id;
    setUndoable(id);
  }

  const show = (id: string) => setHidden((before) => before.filter((other) => other !== id));

  async function send(id: string) {
    if (!due.current.delete(id)) return;
    try {
      keep((await call(deletePicture, { params: { publicId: id }, keepalive: true })).data.pictures);
    } catch (error) {
      if (isGone(error)) keep(latest().filter(({ publicId }) => publicId !== id));
      else setFailed(true);
    }
    show(id);
  }
  const deleting = useMutation({ scope, mutationFn: send });

  /** Ends Undo and sends the request after those that are already running. */
  function commit() {
    const id = waiting.current;
    if (id === null) return;
    offerUndo(null);
    due.current.add(id);
    deleting.mutate(id);
  }

  function remove(id: string) {
    if (hidden.includes(id)) return;
    commit();
    setFailed(false);
    setHidden((before) => [...before, id]);
    offerUndo(id);
  }

  function undo() {
    if (waiting.current !== null) show(waiting.current);
    offerUndo(null);
  }

  // A page that is being left may not get another chance, so requests no longer wait for earlier ones.
  const sendAll = useEffectEvent(() => {
    commit();
    for (const id of [...due.current]) void send(id);
  });
  useEffect(() => {
    const leaving = new AbortController();
    const sendWhenHidden = () => {
      if (document.visibilityState === 'hidden') sendAll();
    };
    document.addEventListener('visibilitychange', sendWhenHidden, { signal: leaving.signal });
    window.addEventListener('pagehide', () => sendAll(), { signal: leaving.signal });
    return () => {
      leaving.abort();
      sendAll();
    };
  }, []);

  return { hidden, undoable, hasFailed, remove, undo, commit, dismiss: () => setFailed(false) };
}

/** A picture that is being uploaded, or whose upload failed. */
export interface Upload {
  key: string;
  file: File;
  /** The address of a preview; null if there is none. */
  preview: string | null;
  /** Why the upload failed, as a message to show; null while it is running. */
  error: string | null;
  mayRetry: boolean;
}

/** Error codes after which trying again does not help: the member has to choose another picture. */
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

/**
 * Uploads pictures one after the other and adds them to the profile. Failed ones stay next to the pictures, with the
 * reason.
 */
export function useUploads({ pictures, latest, keep, refetch }: PicturesOnServer, onArrived: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const handles = useRef(new Map<string, string>());
  const previews = useRef(new Set<string>());

  useEffect(() => {
    const shown = previews.current;
    return () => shown.forEach((url) => URL.revokeObjectURL(url));
  }, []);

  const isRunning = uploads.some(({ error }) => error === null);
  useEffect(() => {
    if (!isRunning) return;
    const leaving = new AbortController();
    // Makes the browser ask whether to leave the page while uploads are unfinished.
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal: leaving.signal });
    return () => leaving.abort();
  }, [isRunning]);

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

  const claiming = useMutation({
    scope,
    mutationFn: async (publicId: string) => keep(await claim(publicId, latest())),
  });
  const sending = useMutation({
    scope: { id: 'picture-uploads' },
    mutationFn: async (upload: Upload) => claiming.mutateAsync(await handleOf(upload)),
    onSuccess: (_, upload) => {
      drop(upload);
      onArrived();
    },
    onError: (failure, { key }) => {
      const error = failure instanceof ApiError ? failure : null;
      // An uploaded file that was not used within a day no longer exists, so the next try uploads it again.
      if (error?.status === 404) handles.current.delete(key);
      change(key, { error: errorMessage(failure), mayRetry: !finalCodes.includes(errorCode(failure) ?? '') });
      // The picture may have been added even though there was no answer.
      if (error?.isUnanswered === true && handles.current.has(key)) refetch();
    },
  });

  function add(file: File) {
    const preview = URL.createObjectURL(file);
    previews.current.add(preview);
    const upload = { key: randomKey(), file, preview, error: null, mayRetry: false };
    setUploads((before) => [...before, upload]);
    sending.mutate(upload);
  }

  function retry(upload: Upload) {
    change(upload.key, { error: null });
    sending.mutate(upload);
  }

  /** Shows a file that cannot be uploaded, with the reason. */
  function refuse(file: File, error: string) {
    setUploads((before) => [...before, { key: randomKey(), file, preview: null, error, mayRetry: false }]);
  }

  const arrived = pictures.map(({ publicId }) => publicId);
  const shown = uploads.filter(({ key }) => !arrived.includes(handles.current.get(key) ?? ''));
  return { uploads: shown, add, retry, drop, refuse };
}

/** The profile picture and all further pictures. */
export const picturesMax = morePicturesMax + 1;

/** Whether a picture counts as part of the profile: waiting for review or approved, but not rejected. */
export function isOnProfile({ state }: OwnPicture): boolean {
  return state !== 'rejected';
}

/**
 * The pictures in the given order: the first is the profile picture, pictures not in the order come next, and rejected
 * ones last.
 */
function sorted(pictures: readonly OwnPicture[], order: readonly string[]): OwnPicture[] {
  const rank = new Map(order.map((id, index) => [id, index]));
  const rankOf = ({ publicId }: OwnPicture) => rank.get(publicId) ?? order.length;
  const onProfile = pictures.filter(isOnProfile).toSorted((one, other) => rankOf(one) - rankOf(other));
  const rejected = pictures.filter((picture) => !isOnProfile(picture));
  return [...onProfile.map((picture, index) => ({ ...picture, isProfilePicture: index === 0 })), ...rejected];
}

/**
 * The order after one picture was moved to position `to` among those `shown`. Hidden pictures keep their positions,
 * except for the first position.
 */
function withMoved(order: readonly string[], shown: readonly string[], id: string, to: number): string[] {
  const others = order.filter((other) => other !== id);
  const next = shown.filter((other) => other !== id)[to];
  const at = to === 0 ? 0 : next === undefined ? others.length : others.indexOf(next);
  return [...others.slice(0, at), id, ...others.slice(at)];
}
