import { type RefObject, useEffect } from 'react';

const isWholeCode = (value: string) => /^\d{6}$/.test(value);

/**
 * Submits the field's form when six digits have been typed or pasted. The form ignores a second submit while one is
 * running. Not for codes that confirm something irreversible, where people should press the button deliberately.
 */
export function useSelfSubmit(field: RefObject<HTMLInputElement | null>, value: string): void {
  useEffect(() => {
    if (isWholeCode(value)) field.current?.form?.requestSubmit();
  }, [field, value]);
}
