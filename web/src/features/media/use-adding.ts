import { useEffect, useRef, useState } from 'react';
import { type Part, wholeOf } from './crop/crop.ts';
import type { Drawing, OpenPicture } from './crop/drawing.ts';

export const unreadableText = "This picture can't be opened here. Please choose a JPEG, PNG or WebP file.";

/** A picture waiting to be cropped. */
export interface Asked {
  picture: OpenPicture;
  number: number;
  total: number;
  isDrawing: boolean;
  /** Takes the part to use, all of it, or null to skip the picture. */
  answer: (part: Part | 'whole' | null) => void;
}

interface AddingProps {
  drawing: Drawing;
  onDrawn: (file: File) => void;
  onUnreadable: (file: File, text: string) => void;
}

/** From chosen files to what is sent: each is opened, cropped by the person and drawn again. */
export function useAdding({ drawing, onDrawn, onUnreadable }: AddingProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpening, setOpening] = useState(false);
  const isThere = useRef(true);
  const lastAnswer = useRef<Asked['answer'] | null>(null);
  const last = useRef<Promise<void>>(Promise.resolve());

  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
      lastAnswer.current?.(null);
    };
  }, []);

  async function addOne(file: File, number: number, total: number) {
    setOpening(true);
    const picture = await drawing.open(file).finally(() => setOpening(false));
    try {
      const ask = { picture, number, total, isDrawing: false };
      const part = await new Promise<Part | 'whole' | null>((answer) => {
        lastAnswer.current = answer;
        setAsked({ ...ask, answer });
      });
      if (part === null) return;
      setAsked({ ...ask, isDrawing: true, answer: () => undefined });
      const drawn = await drawing.draw(picture, part === 'whole' ? wholeOf(picture) : part);
      onDrawn(drawn);
    } finally {
      picture.close();
    }
  }

  /** Goes through the files, one after the other. */
  async function addAll(files: readonly File[]) {
    for (const [index, file] of files.entries()) {
      if (!isThere.current) return;
      await addOne(file, index + 1, files.length).catch(() => onUnreadable(file, unreadableText));
    }
    setAsked(null);
  }

  /** Files chosen meanwhile follow after those before. */
  function add(files: readonly File[]) {
    last.current = last.current.then(() => addAll(files));
  }

  return { asked, isOpening, add };
}
