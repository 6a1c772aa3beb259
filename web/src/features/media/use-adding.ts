import { useEffect, useRef, useState } from 'react';
import { type Part, wholeOf } from './crop/crop.ts';
import type { Drawing, OpenPicture } from './crop/drawing.ts';
import { useTurns } from './use-turns.ts';

export const unreadableText = 'This picture cannot be read here. Please choose a JPEG, PNG or WebP.';

/** A picture of which the person says what is used. */
export interface Asked {
  picture: OpenPicture;
  number: number;
  total: number;
  isDrawing: boolean;
  /** The part in the frame, all of it, or null for none. */
  answer: (part: Part | 'whole' | null) => void;
}

interface AddingProps {
  drawing: Drawing;
  onDrawn: (file: File) => void;
  onUnreadable: (file: File, text: string) => void;
}

/** From chosen files to what is sent: each is opened, the person says which part is used, and that is drawn anew. */
export function useAdding({ drawing, onDrawn, onUnreadable }: AddingProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpening, setOpening] = useState(false);
  const isThere = useRef(true);
  const lastAnswer = useRef<Asked['answer'] | null>(null);
  const inTurn = useTurns();

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

  return { asked, isOpening, add: (files: readonly File[]) => void inTurn(() => addAll(files)) };
}
