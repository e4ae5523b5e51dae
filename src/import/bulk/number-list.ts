/** Very many numbers, eight bytes each. */
export interface NumberList {
  add(number: number): void;
  addAll(numbers: ArrayLike<number>): void;
  all(): Float64Array;
}

const FIRST = 1024;

export function numberList(): NumberList {
  let numbers = new Float64Array(FIRST);
  let length = 0;
  const room = (more: number) => {
    if (length + more <= numbers.length) return;
    const before = numbers;
    numbers = new Float64Array(Math.max(before.length * 2, length + more));
    numbers.set(before);
  };
  return {
    add(number) {
      room(1);
      numbers[length++] = number;
    },
    addAll(more) {
      room(more.length);
      numbers.set(more, length);
      length += more.length;
    },
    all: () => numbers.subarray(0, length),
  };
}
