add    %r10,%rsi
cmp    %r13,%rsi


add    $0x8,%rsi
vmovups %ymm1,(%rdx)
vmovups %ymm0,(%rax)
cmp    %r13,%rsi


mov    (%r9),%r11
mov    %r9,%r12
mov    %r11,(%rdx)
mov    %r8d,%r11d
mov    -0x8(%r9,%r11,1),%rbx
mov    %rbx,-0x8(%rdx,%r11,1)
lea    0x8(%rdx),%rbx
and    $0xfffffffffffffff8,%rbx
sub    %rbx,%rdx
sub    %rdx,%r12
add    %r8d,%edx
and    $0xfffffff8,%edx
cmp    $0x8,%edx

and    $0xfffffff8,%edx
xor    %r11d,%r11d
mov    %r11d,%r14d
add    $0x8,%r11d
mov    (%r12,%r14,1),%r15
mov    %r15,(%rbx,%r14,1)
cmp    %edx,%r11d


mov    (%r9),%rdx
mov    %r9,%rbx
mov    %rdx,(%rax)
mov    %r8d,%edx
mov    -0x8(%r9,%rdx,1),%r11
mov    %r11,-0x8(%rax,%rdx,1)
lea    0x8(%rax),%r11
and    $0xfffffffffffffff8,%r11
sub    %r11,%rax
add    %eax,%r8d
sub    %rax,%rbx
and    $0xfffffff8,%r8d
cmp    $0x8,%r8d

