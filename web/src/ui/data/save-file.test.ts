import { describe, expect, it, vi } from 'vitest';
import { saveFile } from './save-file.ts';

describe('saveFile', () => {
  it.each([
    ['members.csv', 'text/csv'],
    ['chart.png', 'image/png'],
  ])('keeps the address of %s for a minute after the click', (name, type) => {
    vi.useFakeTimers();
    const clicked: [string, string][] = [];
    const revoked: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockReturnValue(`blob:${name}`);
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void revoked.push(address));
    vi.spyOn(HTMLElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push([this.href, this.download]);
    });

    saveFile(new Blob(['a'], { type }), name);
    expect(clicked).toEqual([[`blob:${name}`, name]]);
    vi.advanceTimersByTime(59_000);
    expect(revoked).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(revoked).toEqual([`blob:${name}`]);
  });
});
