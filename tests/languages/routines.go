package main
import ("fmt"; "sort"; "strings")
func work(n int, out chan<- int) { sum := 0; for i := 0; i < n; i++ { sum = sum*31 + i ^ (sum >> 7) }; out <- sum & 0xffff }
func try(n int) (r int) { defer func() { if e := recover(); e != nil { r = -n } }(); a := []int{1,2,3}; return a[n] }
func main() {
 out := make(chan int)
 for i := 1; i <= 20; i++ { go work(i*1000, out) }
 var all []int
 for i := 1; i <= 20; i++ { all = append(all, <-out) }
 sort.Ints(all)
 fmt.Println(all)
 fmt.Println(try(1), try(7))
 m := map[string]int{}
 for i, w := range strings.Fields(strings.Repeat("the quick brown fox ", 50)) { m[w] += i }
 keys := make([]string, 0); for k := range m { keys = append(keys, k) }; sort.Strings(keys)
 for _, k := range keys { fmt.Println(k, m[k]) }
}
