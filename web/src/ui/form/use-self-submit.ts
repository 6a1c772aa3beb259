import { type RefObject, useEffect } from 'react';

const isWholeCode = (value: string) => /^\d{6}$/.test(value);

/**
 * Submits the form of a field when its six digits are complete, typed or pasted. The form ignores a second submit while one is under way.
 * Not for codes that confirm something irreversible: there, pressing the button is the decision.
 */
export function useSelfSubmit(field: RefObject<HTMLInputElement | null>, value: string): void {
  useEffect(() => {
    if (isWholeCode(value)) field.current?.form?.requestSubmit();
  }, [field, value]);
}
