import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { CodeField } from './CodeField.tsx';

function Controlled() {
  const [value, setValue] = useState('');
  return <CodeField isRecovery={false} value={value} onChange={setValue} />;
}

describe('CodeField', () => {
  it.each([
    ['123 456', '123456'],
    ['١٢٣٤٥٦٧', '123456'],
    ['۱۲۳-۴۵۶', '123456'],
    ['１２３４５６', '123456'],
    ['4F7K-9QXM-2ABC', '4F7K-9QXM-2ABC'],
  ])('reads pasted text "%s" as %s', async (pasted, value) => {
    render(<Controlled />, { wrapper: Surroundings });
    const field = screen.getByRole('textbox', { name: /^Code from your app/ });
    await userEvent.click(field);
    await userEvent.paste(pasted);
    expect(field).toHaveValue(value);
  });
});
